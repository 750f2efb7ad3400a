import { z } from 'zod';
import { Backend, FindingCategory, FindingSeverity, FindingState, VerifierStatus } from '../../enums.ts';
import { Quote } from '../../kinds/review/events.ts';

/** A defect that reviewers reported, and what became of it. */
export const FindingView = z.strictObject({
  findingId: z.string(),
  /** The same for this defect in each run that finds it. An older daemon has none. */
  fingerprint: z.string().optional(),
  phaseKey: z.string(),
  severity: FindingSeverity,
  category: FindingCategory,
  state: FindingState,
  verifierStatus: VerifierStatus,
  /** The change cannot pass with it. */
  isBlocker: z.boolean(),
  /** Older than the change under review. */
  isPreExisting: z.boolean(),
  /** Found too late to count: outside of the fix, or below high in the closing look. */
  isLate: z.boolean(),
  /** False if its quote is not in the file. */
  isAnchored: z.boolean(),
  /** Where the quoted line stood, if the change removed it. */
  removed: z.strictObject({ path: z.string(), line: z.number() }).optional(),
  /** Where it is in the newest reviewed commit. */
  path: z.string(),
  line: z.number(),
  endLine: z.number(),
  quote: z.string(),
  symbol: z.string().nullable(),
  summary: z.string(),
  failure: z.string(),
  evidence: z.array(z.string()),
  reproduce: z.array(z.string()).nullable(),
  duplicateOf: z.string().nullable(),
  /** Its reporters, first to last. */
  reporters: z.array(
    z.strictObject({
      roleId: z.string(),
      backend: Backend,
      round: z.number(),
      severity: FindingSeverity,
      summary: z.string(),
    }),
  ),
  /** The newest answer about it; null before. */
  resolution: z
    .strictObject({
      by: z.enum(['votes', 'reproduction', 'verifier', 'person']),
      roleId: z.string().nullable(),
      backend: Backend.nullable(),
      reason: z.string(),
      quote: Quote.nullable(),
    })
    .nullable(),
  /** Its history, oldest first. */
  history: z.array(
    z.strictObject({
      round: z.number(),
      what: z.enum([
        'reported',
        'confirmed',
        'rejected',
        'disputed',
        'duplicate',
        'answered',
        'fixed',
        'present',
        'came_back',
        'accepted',
      ]),
      by: z.string(),
      note: z.string(),
    }),
  ),
});
export type FindingView = z.infer<typeof FindingView>;

/** A fault of a file. Gates carry these in `subject.findings`. */
export const LocatedFinding = z.object({
  path: z.string(),
  message: z.string(),
  code: z.string().optional(),
  line: z.number().int().optional(),
});
export type LocatedFinding = z.infer<typeof LocatedFinding>;
