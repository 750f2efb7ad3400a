import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PersonaSummary, Unpublished } from '../views/definition.ts';

export const personaList = defineMethod({
  name: 'persona.list',
  summary: 'List personas',
  params: z.strictObject({ unpublished: Unpublished }),
  result: z.array(PersonaSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['unpublished'],
  errors: [],
});
