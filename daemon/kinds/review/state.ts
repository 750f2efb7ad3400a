import type { Backend, FindingCategory, FindingSeverity, FindingState } from '../../../schemas/enums.ts';
import type { EventPayload } from '../../../schemas/events/index.ts';
import type { RoundCompleted, RoundStarted } from '../../../schemas/events/iteration.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { Anchor } from '../../../schemas/place/place.ts';
import type { FindingView } from '../../../schemas/rpc/views/findings.ts';
import type { StateRules } from '../stateRules.ts';

/** A defect that reviewers reported. */
export interface Finding {
  id: string;
  /** The same in other runs that find it. */
  identity: string;
  severity: FindingSeverity;
  category: FindingCategory;
  /** Where it is in the newest reviewed commit. */
  path: string;
  line: number;
  endLine: number;
  quote: string;
  symbol: string | null;
  summary: string;
  failure: string;
  evidence: string[];
  reproduce: string[] | null;
  isPreExisting: boolean;
  isLate: boolean;
  /** Null if the quote is not in the file. */
  anchor: Anchor | null;
  state: FindingState;
  reporters: { roleId: string; backend: Backend; round: number; severity: FindingSeverity; summary: string }[];
  /** Decisions about it, oldest first. */
  resolutions: Resolution[];
  duplicateOf: string | null;
  /** The rounds in which it was reported again after it was fixed. */
  cameBackIn: number[];
  history: { round: number; what: FindingEvent; by: string; note: string }[];
}
export type Resolution = Omit<EventPayload<'finding.verifier_resolved'>, 'findingId'>;
export type FindingEvent = FindingView['history'][number]['what'];

/** The subject of reviewers in a round. */
export type Look = Omit<EventPayload<'review.prepared'>, 'round' | 'nth'> & {
  /** The assignments whose batches are recorded, and what each says of findings that were to be fixed. */
  batches: { assignment: string; prior: EventPayload<'review.batch_recorded'>['prior'] }[];
};

/** A verifier judges findings, or the implementer fixes them. */
export type ReviewAsk = EventPayload<'review.asked'> & {
  isDone: boolean;
  /** The commit of a fix. */
  work: CommittedWork | null;
};

export interface ReviewRound {
  round: number;
  reason: RoundStarted['reason'];
  /** A person's request for changes; null unless the round is about that. */
  changeRequest: string | null;
  look: Look | null;
  asks: ReviewAsk[];
  checked: Pick<EventPayload<'review.checked'>, 'what' | 'results' | 'setup'>[];
  outcome: RoundCompleted['outcome'] | null;
}

/** The facts about the change under review. */
export interface Review {
  rounds: ReviewRound[];
  findings: Finding[];
  /** A person's request for changes, until a round begins that is about it. */
  changeRequest: string | null;
}

export interface ReviewState {
  /** Null before the first attempt. */
  review: Review | null;
}

export const reviewState: StateRules<ReviewState> = {
  initial: { review: null },
  endsWithAssignments: false,
  look: ({ review }) => review?.rounds.findLast(({ look }) => look !== null)?.look ?? undefined,
};
