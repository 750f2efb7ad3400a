import type { ReviewScope } from '../../../schemas/enums.ts';
import type { ChangeBrief, Witness } from '../../../schemas/kinds/review/events.ts';
import type { ChangedFile } from '../../../schemas/place/place.ts';
import type { LanePlace } from '../../core/run/lanes.ts';

/** Brings the worktrees of a review to the commit under review, and reads what changed. */
export interface ReviewEffect {
  type: 'prepareReview';
  phaseId: string;
  laneId: string;
  round: number;
  nth: number;
  main: LanePlace;
  base: string;
  head: string;
  /** The commit that was reviewed before. */
  from: string | null;
  /** True if the look is only at what changed since `from`. */
  isDelta: boolean;
  /** True if reviewers quote removed lines, too. */
  quotesRemoved: boolean;
  /**
   * Null if reviewers are not told of commits, files and commands. `dir`: where devflow may write meanwhile. `metricsNames`: what
   * code must name to write the measurement.
   */
  brief: { dir: string; metricsNames?: string[] } | null;
  /** The worktrees of the readers; empty if they have the commit already. */
  lanes: LanePlace[];
  /** The keys of the reviewers' assignments: each gets other lines to quote. */
  assignments: string[];
}

export interface ReviewOutcome {
  type: 'reviewPrepared';
  phaseId: string;
  round: number;
  nth: number;
  changedLines: number;
  fixed: ChangedFile[];
  brief?: ChangeBrief;
  /** By assignment. */
  witnesses: Readonly<Record<string, Witness[]>>;
}

/** An artifact of a review must agree with this, besides its schema. */
export type ReviewExpectation =
  | {
      what: 'look';
      place: LanePlace;
      head: string;
      base: string;
      /** The commits with removed lines; those of the Before directory first. Empty in older runs. */
      before: string[];
      scope: ReviewScope;
      witnesses: Witness[];
      prior: string[];
    }
  | {
      what: 'verdict';
      place: LanePlace;
      head: string;
      before: string[];
      asked: string[];
      /** The findings in `asked` that are about removed lines. */
      removed: string[];
      known: string[];
    }
  | { what: 'fix'; asked: string[] };
