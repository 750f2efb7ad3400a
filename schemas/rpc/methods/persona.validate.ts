import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DefinitionVerdict } from '../views/definition.ts';

export const personaValidate = defineMethod({
  name: 'persona.validate',
  summary: 'Check the YAML text of a persona',
  params: z.strictObject({ text: z.string() }),
  result: DefinitionVerdict,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['text'],
  errors: [],
});
