import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PersonaSummary } from '../views/definition.ts';

export const personaList = defineMethod({
  name: 'persona.list',
  summary: 'List personas',
  params: z.strictObject({}),
  result: z.array(PersonaSummary),
  caller: 'anyone',
  paramNames: [],
  errors: [],
});
