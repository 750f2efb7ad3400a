import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import { definitionSource } from '../input/definitionSource.ts';
import type { Action } from '../io/io.ts';
import { printLint } from '../print/lint.ts';
import { readShippedSchemas, shippedWith } from '../rehearsal/readShippedSchemas.ts';

export const action: Action = async ([given]: [string[]], options: { json?: boolean; strict?: boolean }, io) => {
  const reports = [];
  for (const each of given) {
    const source = await definitionSource(io, each, 'template');
    const schemas = Object.keys(readShippedSchemas(shippedWith(source.file, io.cwd, undefined, source.text ?? '')));
    reports.push(await callDaemonOrOneshot(io, 'template.lint', { ...source, ...(schemas.length > 0 && { schemas }) }));
  }
  return printLint(io, reports, options);
};
