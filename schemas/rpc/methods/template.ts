import { z } from 'zod';
import { ValidationError } from '../../events/artifact.ts';
import { SCHEMA_ID } from '../../names.ts';
import { defineMethod } from '../contract.ts';
import { LintReport } from '../views/lint.ts';
import { Rehearsal } from '../views/rehearsal.ts';

const Shipped = z.strictObject({
  schema: z.string().regex(SCHEMA_ID),
  definition: z.record(z.string(), z.unknown()).describe('a JSON Schema'),
  ok: z.unknown().describe('an example that it accepts'),
  invalid: z.unknown().describe('an example that it refuses'),
});

export const templatePromote = defineMethod({
  name: 'template.promote',
  summary: 'Publish a template among the own ones, after lint and a walk of all its paths',
  params: z.strictObject({
    text: z.string().describe('the YAML text of the template'),
    artifacts: z.array(Shipped).max(100).default([]).describe('artifact schemas that come with the template'),
  }),
  result: z.object({
    lint: LintReport,
    /** The faults of the artifact schemas. */
    faults: z.array(ValidationError),
    /** Null for a text that lint refuses. */
    rehearsal: Rehearsal.nullable(),
    /** Null if something was found. */
    promoted: z.object({ file: z.string(), artifacts: z.array(z.string()) }).nullable(),
  }),
  changes: 'something',
  caller: 'person',
  paramNames: ['text'],
  errors: ['file_exists'],
});
