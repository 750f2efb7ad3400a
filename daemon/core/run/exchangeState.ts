import type { Pointer } from '../../../schemas/contracts/autodev/pointer.ts';
import type { CycleState } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import type { EventPayload } from '../../../schemas/events/index.ts';
import type { Applied } from '../../../schemas/events/run.ts';

/** One pass of the phases that the template's `iterate` names. */
export interface Iteration {
  nth: number;
  /** A person's additional wish. */
  extension: string | null;
  startedAt: string;
  endedAt: string | null;
  isResolved: boolean | null;
  /** The open points at its end. */
  issues: string[];
}

/** A validated artifact that devflow wrote where its contract expects it. */
export interface Published {
  phaseId: string;
  /** The key of the assignment that wrote it. */
  assignment: string;
  contract: string;
  /** Relative to the worktree. */
  path: string;
  sha256: string;
  at: string;
  /** The artifact with these bytes: the agent's file, and devflow's copy. Its assignment may have another by now. */
  bytes: { path: string; storedPath: string };
  /** The change that somebody else made in its place, until a person has decided. */
  drift: Omit<EventPayload<'contract.drifted'>, 'nth' | 'contract' | 'path' | 'published'> | null;
  /** A person wants devflow's bytes back. */
  isRestored: boolean;
}

/** What follows after a run has ended. */
export interface AfterEnd {
  /** The place of the last files of an exchange. */
  delivered: Delivered | null;
  /** The branches of the person that got the work, in order. A person can take it away again: git says what is there. */
  applied: (Applied & { at: string })[];
}

/** Where the files of an exchange are when the run has ended. */
export interface Delivered {
  /** The commit that has them; null if they could not be committed. */
  commit: string | null;
  /** The files that the repository ignores. */
  ignored: readonly string[];
  /** Why they could not be committed. */
  reason: string | null;
}

/**
 * The files that devflow writes into the worktree for those who live by the convention of the run. They follow from the
 * events alone, and devflow never reads them back.
 */
export interface ExchangeState {
  /** Whole texts by path, relative to the worktree, in the order in which they are written. */
  files: Readonly<Record<string, string>>;
  /** Only in the exchange `autodev`. */
  pointer?: Pointer;
  /** Only in the exchange `cycle`. */
  cycle?: CycleState;
}
