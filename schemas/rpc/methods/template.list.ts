import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { TemplateSummary } from '../views/definition.ts';

export const templateList = defineMethod({
  name: 'template.list',
  summary: 'List templates',
  params: z.strictObject({}),
  result: z.array(TemplateSummary),
  caller: 'anyone',
  paramNames: [],
  errors: [],
});
