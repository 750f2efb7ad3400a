import { withDaemon } from '../daemon/withDaemon.ts';
import type { Action } from '../io/io.ts';
import { printJson } from '../print/output.ts';

interface Options {
  json?: boolean;
  comment?: string;
}

export const action: Action = async ([runId, lane]: [string, string], { json, comment }: Options, io) =>
  withDaemon(io, async (client) => {
    const moved = await client.call('run.reopen', { runId, lane, comment });
    if (json) printJson(io, moved);
    else io.out(`${lane} of run ${moved.runId} is taken up again, with the tasks that depend on it.\n`);
    return 0;
  });
