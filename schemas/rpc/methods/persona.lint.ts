import { defineMethod } from '../contract.ts';
import { DefinitionSource, LintReport } from '../views/lint.ts';

export const personaLint = defineMethod({
  name: 'persona.lint',
  summary: 'Check a persona by all rules of lint',
  params: DefinitionSource,
  result: LintReport,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['text', 'file', 'ref'],
  errors: ['persona_not_found'],
});
