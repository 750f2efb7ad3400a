import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DefinitionVerdict } from '../views/definition.ts';

export const templateValidate = defineMethod({
  name: 'template.validate',
  summary: 'Check the YAML text of a template',
  params: z.strictObject({ text: z.string() }),
  result: DefinitionVerdict,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['text'],
  errors: [],
});
