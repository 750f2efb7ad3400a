import { resolve } from 'node:path';
import { withDaemon } from '../daemon/withDaemon.ts';
import { readJson } from '../input/readInput.ts';
import type { Action } from '../io/io.ts';
import { printTry } from '../print/backtest.ts';
import { printJson } from '../print/output.ts';

interface Options {
  json?: boolean;
  objective: string;
  repo?: string;
  base?: string;
  template?: string;
  extra?: string;
}

export const action: Action = async (_args: [], { json, extra: file, ...options }: Options, io) => {
  const objective = await readJson(io, options.objective, 'the objective');
  const extra = file === undefined ? undefined : await readJson(io, file, 'the extra inputs');
  const request = {
    repo: resolve(io.cwd, options.repo ?? '.'),
    objective,
    ...(options.base === undefined ? {} : { base: options.base }),
    ...(options.template === undefined ? {} : { template: options.template }),
    ...(extra === undefined ? {} : { extra: extra as Record<string, unknown> }),
  };
  const answer = await withDaemon(io, (client) => client.call('backtest.try', request));
  if (json) printJson(io, answer);
  else printTry(io, answer);
  return answer.faults.length > 0 ? 1 : 0;
};
