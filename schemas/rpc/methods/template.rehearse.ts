import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { DefinitionVerdict } from '../views/definition.ts';
import { BroughtSchemas, hasOne, SourceFields } from '../views/lint.ts';
import { Rehearsal } from '../views/rehearsal.ts';

export const templateRehearse = defineMethod({
  name: 'template.rehearse',
  summary: 'Walk all paths of a template without an agent',
  params: z.strictObject({ ...SourceFields, schemas: BroughtSchemas }).refine(hasOne, 'give either text or ref'),
  result: z.object({
    verdict: DefinitionVerdict,
    /** The YAML text that was rehearsed. */
    text: z.string(),
    /** The roles of the template. */
    roles: z.array(z.string()),
    /** Null for a text that is no template. */
    rehearsal: Rehearsal.nullable(),
  }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['text'],
  errors: ['template_not_found'],
});
