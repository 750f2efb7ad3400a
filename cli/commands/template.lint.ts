import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Template } from '../define/catalog.ts';
import { definitionSource } from '../input/definitionSource.ts';
import { readShipped, shippedWith } from '../input/readShipped.ts';
import { printLint } from '../print/lint.ts';

export const action: Template['lint'] = async (_params, { given, ...options }, io) => {
  const reports = [];
  for (const each of given) {
    const source = await definitionSource(io, each, 'template');
    const shipped = readShipped(shippedWith(source.file, io.cwd, undefined, source.text ?? ''));
    const schemas = shipped.map(({ schema }) => schema);
    const brought = schemas.length > 0 ? schemas : undefined;
    reports.push(await callDaemonOrOneshot(io, 'template.lint', { ...source, schemas: brought }));
  }
  return printLint(io, reports, options);
};
