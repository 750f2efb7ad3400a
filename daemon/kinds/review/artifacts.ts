import type { FindingCategory, FindingSeverity } from '../../../schemas/enums.ts';
import type { Quote } from '../../../schemas/kinds/review/events.ts';
import type { Anchor } from '../../../schemas/place/place.ts';
import type { ReviewPhase } from './reviewOf.ts';

/** The valid artifact of an assignment. Its performer has checked the form. */
export function artifactOf<T extends Batch | Verdicts | Response>({ assignments }: ReviewPhase, key: string): T {
  const artifact = assignments.find((each) => each.key === key)?.artifact;
  if (!artifact) throw new TypeError(`assignment ${key} has no artifact`);
  return artifact.data as T;
}

/** A valid `dev/review-finding-batch`, with what devflow found out about it. */
export interface Batch {
  findings: {
    ref: string;
    category: FindingCategory;
    severity: FindingSeverity;
    path: string;
    line: number;
    endLine: number;
    quote: string;
    symbol: string | null;
    claim: string;
    failure: string;
    evidence: string[];
    reproduce: { argv: string[] } | null;
    preExisting: boolean;
    /** `old`: the quote is of lines that the change removed. */
    side?: 'new' | 'old';
    /** Where devflow found the quote. */
    anchor: Anchor | null;
  }[];
  prior: { id: string; verdict: 'fixed' | 'present' | 'cannot_tell'; evidence: string }[];
}

/** A valid `dev/review-verdict`. */
export interface Verdicts {
  verdicts: {
    id: string;
    verdict: 'confirmed' | 'rejected' | 'duplicate' | 'cannot_tell';
    duplicateOf: string | null;
    quote: Quote | null;
    reason: string;
    /** True if the quote stands in the reviewed commit. */
    isQuoted: boolean;
  }[];
}

/** A valid `dev/review-response`. */
export interface Response {
  answers: { id: string; action: 'fixed' | 'disputed' | 'wont_fix'; note: string }[];
}
