import { z } from 'zod';

/** A fault of a file. Gates carry these in `subject.findings`. */
export const LocatedFinding = z.object({
  path: z.string(),
  message: z.string(),
  code: z.string().optional(),
  line: z.number().int().optional(),
});
export type LocatedFinding = z.infer<typeof LocatedFinding>;
