import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { TemplateDetail } from '../views/definition.ts';
import { DefinitionRef } from '../views/refs.ts';

export const templateGet = defineMethod({
  name: 'template.get',
  summary: 'Show a template',
  params: z.strictObject({ template: DefinitionRef }),
  result: TemplateDetail,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['template'],
  errors: ['template_not_found'],
});
