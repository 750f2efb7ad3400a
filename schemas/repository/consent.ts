import { z } from 'zod';
import { CONSENT_PARTS } from '../names.ts';

export const ConsentPart = z.enum(CONSENT_PARTS);
export type ConsentPart = z.infer<typeof ConsentPart>;

export const ConsentDecision = z.enum(['allowed', 'forbidden']);
export type ConsentDecision = z.infer<typeof ConsentDecision>;

/** A part of the settings that does not come from the person. */
export const ConsentView = z.object({
  part: ConsentPart,
  /** The hash of exactly what the person reads. */
  hash: z.string(),
  state: z.enum(['allowed', 'forbidden', 'unknown']),
  /** Its effects, a line each. */
  lines: z.array(z.string()),
  /** The files that say so, or `guess`. */
  from: z.array(z.string()),
});
export type ConsentView = z.infer<typeof ConsentView>;
