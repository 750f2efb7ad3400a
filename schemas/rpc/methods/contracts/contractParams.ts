import * as z from 'zod/mini';
import { canBePath, NO_PATH } from '../../../files/repositoryPath.ts';

const repo = z.string().check(z.minLength(1), z.refine(canBePath, NO_PATH));

/** CI calls these methods often. Of the 60 ms of a small check, these schemas take 6 ms. Those of all of zod would take 16 ms. */
export const CONTRACT_PARAMS = {
  'contract.list': z.strictObject({}),
  'contract.show': z.strictObject({ contract: z.string().check(z.minLength(1)) }),
  'contract.detect': z.strictObject({ repo }),
  'contract.check': z.strictObject({
    repo,
    contract: z.optional(z.string()),
    /** `soft`: what is missing only warns. Absent: as `handover.check` reads, and strict elsewhere. */
    mode: z.optional(z.enum(['strict', 'soft'])),
  }),
  'contract.status': z.strictObject({ repo }),
};
