import { defineMethod } from '../contract.ts';
import { DefinitionSource, LintReport } from '../views/lint.ts';

export const templateLint = defineMethod({
  name: 'template.lint',
  summary: 'Check a template by all rules of lint',
  params: DefinitionSource,
  result: LintReport,
  caller: 'anyone',
  paramNames: ['text', 'file', 'ref'],
  errors: ['template_not_found'],
});
