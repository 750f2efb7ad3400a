import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { TemplateSummary, Unpublished } from '../views/definition.ts';

export const templateList = defineMethod({
  name: 'template.list',
  summary: 'List templates',
  params: z.strictObject({ unpublished: Unpublished }),
  result: z.array(TemplateSummary),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['unpublished'],
  errors: [],
});
