import { callDaemonOrOneshot } from '../../daemon/oneshot.ts';
import type { Template } from '../../define/catalog.ts';
import { definitionSource } from '../../input/definitionSource.ts';
import { readInput } from '../../input/readInput.ts';
import { readShipped, shippedWith } from '../../input/readShipped.ts';
import { printLint } from '../../print/definition/lint.ts';
import { printTemplateDiff } from '../../print/definition/templateDiff.ts';
import { printDefinitionVerdict } from '../../print/definition/verdict.ts';
import { printJson } from '../../print/output.ts';

export const actions: Pick<Template, 'validate' | 'lint' | 'diff'> = {
  async validate(_params, { file, json }, io) {
    const text = await readInput(io, file, 'the template file');
    const verdict = await callDaemonOrOneshot(io, 'template.validate', { text });
    return printDefinitionVerdict(io, verdict, file, json);
  },
  async lint(_params, { given, ...options }, io) {
    const reports = [];
    for (const each of given) {
      const source = await definitionSource(io, each, 'template');
      const shipped = readShipped(shippedWith(source.file, io.cwd, undefined, source.text ?? ''));
      const schemas = shipped.map(({ schema }) => schema);
      const brought = schemas.length > 0 ? schemas : undefined;
      reports.push(await callDaemonOrOneshot(io, 'template.lint', { ...source, schemas: brought }));
    }
    return printLint(io, reports, options);
  },
  async diff(_params, { old, next, json }, io) {
    const from = await definitionSource(io, old, 'template');
    const to = await definitionSource(io, next, 'template');
    const diff = await callDaemonOrOneshot(io, 'template.diff', { from, to });
    if (json) printJson(io, diff);
    else printTemplateDiff(io, diff);
    return diff.changes.length === 0 ? 0 : 1;
  },
};
