import { withDaemon } from '../daemon/withDaemon.ts';
import { wholeNumber } from '../input/parse.ts';
import type { Action } from '../io/io.ts';
import { printJson } from '../print/output.ts';

interface Options {
  json?: boolean;
}

export const action: Action = async (
  [runId, number, name, detail = '']: [string, string, string, string?],
  { json }: Options,
  io,
) =>
  withDaemon(io, async (client) => {
    const moved = await client.call('run.progress', { runId, number: wholeNumber('<number>', number), name, detail });
    if (json) printJson(io, moved);
    else io.out(`Recorded for run ${moved.runId}.\n`);
    return 0;
  });
