import { z } from 'zod';
import { ValidationError } from '../../events/artifact.ts';
import { defineMethod } from '../contract.ts';
import { Verdict } from '../views/artifact.ts';

export const artifactValidate = defineMethod({
  name: 'artifact.validate',
  summary: 'Check the text of an artifact against a schema',
  params: z.strictObject({ schema: z.string().min(1), text: z.string() }),
  result: Verdict.extend({ schema: z.string(), warnings: z.array(ValidationError).optional() }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['schema', 'text'],
  errors: ['artifact_schema_unknown'],
});
