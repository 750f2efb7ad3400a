import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { LintReport } from '../views/lint.ts';

export const personaPublish = defineMethod({
  name: 'persona.publish',
  summary: 'Publish a persona among the own ones, after lint',
  params: z.strictObject({ text: z.string().describe('the YAML text of the persona') }),
  result: z.object({
    lint: LintReport,
    /** The file; null if lint refuses the text. */
    published: z.string().nullable(),
  }),
  changes: 'something',
  caller: 'person',
  paramNames: ['text'],
  errors: ['file_exists'],
});
