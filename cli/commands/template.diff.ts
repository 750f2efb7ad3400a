import { callDaemonOrOneshot } from '../daemon/oneshot.ts';
import type { Template } from '../define/catalog.ts';
import { definitionSource } from '../input/definitionSource.ts';
import { printJson } from '../print/output.ts';
import { printTemplateDiff } from '../print/templateDiff.ts';

export const action: Template['diff'] = async (_params, { old, next, json }, io) => {
  const from = await definitionSource(io, old, 'template');
  const to = await definitionSource(io, next, 'template');
  const diff = await callDaemonOrOneshot(io, 'template.diff', { from, to });
  if (json) printJson(io, diff);
  else printTemplateDiff(io, diff);
  return diff.changes.length === 0 ? 0 : 1;
};
