import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printJson } from '../print/output.ts';

interface Options {
  json?: boolean;
  reason: string;
}

export const action: Action = async ([runId, phase]: [string, string], { json, reason }: Options, io) =>
  withDaemon(io, async (client) => {
    const moved = await client.call('run.skip', { runId, phase, reason });
    if (json) printJson(io, moved);
    else io.out(`${moved.changed ? 'Skipped' : 'Already skipped:'} ${phase} of run ${moved.runId}.\n`);
    return 0;
  });
