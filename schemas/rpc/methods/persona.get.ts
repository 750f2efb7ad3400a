import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PersonaDetail } from '../views/definition.ts';
import { DefinitionRef } from '../views/refs.ts';

export const personaGet = defineMethod({
  name: 'persona.get',
  summary: 'Show a persona',
  params: z.strictObject({ persona: DefinitionRef }),
  result: PersonaDetail,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['persona'],
  errors: ['persona_not_found'],
});
