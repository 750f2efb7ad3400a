import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DefinitionSource, TemplateDiff } from '../views/lint.ts';

export const templateDiff = defineMethod({
  name: 'template.diff',
  summary: 'Compare two templates by what they mean',
  params: z.strictObject({ from: DefinitionSource, to: DefinitionSource }),
  result: TemplateDiff,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['from', 'to'],
  errors: ['template_not_found', 'template_invalid'],
});
