import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { definitionSource } from '../input/definitionSource.ts';
import type { Action } from '../io/io.ts';
import { printLint } from '../print/lint.ts';

export const action: Action = async ([given]: [string[]], options: { json?: boolean; strict?: boolean }, io) => {
  const reports = [];
  for (const each of given) {
    const source = await definitionSource(io, each, 'persona');
    reports.push(await callDaemonOrOneshot(io, 'persona.lint', source));
  }
  return printLint(io, reports, options);
};
