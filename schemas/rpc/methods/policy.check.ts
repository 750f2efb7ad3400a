import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PathText } from '../views/refs.ts';

export const policyCheck = defineMethod({
  name: 'policy.check',
  summary: 'Say whether devflow would run this command itself',
  params: z.strictObject({ argv: z.array(z.string()).min(1), cwd: PathText.optional() }),
  result: z.object({ allowed: z.boolean(), rule: z.string().nullable(), reason: z.string() }),
  caller: 'anyone',
  paramNames: ['argv', 'cwd'],
  errors: [],
});
