import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { BroughtSchemas, hasOne, LintReport, SourceFields } from '../views/lint.ts';

export const templateLint = defineMethod({
  name: 'template.lint',
  summary: 'Check a template by all rules of lint',
  params: z.strictObject({ ...SourceFields, schemas: BroughtSchemas }).refine(hasOne, 'give either text or ref'),
  result: LintReport,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['text', 'file', 'ref'],
  errors: ['template_not_found'],
});
