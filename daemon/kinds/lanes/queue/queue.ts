import type { LaneHead, MergeTest } from '../../../../schemas/kinds/lanes/events.ts';

/** A lane that waits to land. */
export interface WaitingLane extends LaneHead {
  /** The tip of `main` that it builds on. */
  base: string;
}

/** A lane that landed, and the tip of `main` before and after the landing that brought it. */
export interface LandedLane {
  laneId: string;
  before: string;
  commit: string;
}

/** All that the merge queue decides from. It keeps no state of its own, so a restart changes nothing. */
export interface Queue {
  /** The tip of `main`. */
  main: string;
  /** In the order in which they should land. */
  waiting: readonly WaitingLane[];
  /** Lanes that were queued after the last `merge.tested`, `merge.landed` or `merge.ejected`, perhaps while a step runs. */
  late: readonly string[];
  /** In the order in which they landed. */
  landed: readonly LandedLane[];
  /** Oldest first. */
  tests: readonly MergeTest[];
  /** Hash of the required checks; empty if there are none. */
  checks: string;
  /** The number of lanes to test together. */
  batch: number;
  /** Checks that fail without any lane, which a person accepted; null if nobody was asked. */
  acceptedRed: readonly AcceptedRed[] | null;
  /** True if the queue searches for the lane that another one collides with; older runs name all that landed. */
  searches: boolean;
}

/** A check that a person let fail. */
export interface AcceptedRed {
  check: number;
  /**
   * Its failure then, and the number of landings until then. It may not fail worse. Once it passes, it is required again.
   * Null in older runs, where it is not required any more. An undefined value may differ.
   */
  was: { exitCode: number | null | undefined; signs: readonly string[] | undefined; landings: number } | null;
}

export type MergeStep =
  | { do: 'nothing' }
  /**
   * Merge the lanes onto the base, in order, and run all checks. No lanes: test the base itself. `onConflict`: what follows if
   * the lane conflicts with this base, which is not the tip of `main`.
   */
  | { do: 'test'; base: string; lanes: LaneHead[]; nth: number; onConflict?: Eject }
  /** Move `main`. `flaky`: lanes whose checks failed first and passed when they ran again. */
  | { do: 'land'; from: string; to: string; lanes: string[]; flaky: string[] }
  | Eject
  /** Ask a person: the checks fail without any lane. */
  | ({ do: 'askBaseRed' } & Red);

/**
 * Sends a lane back. `own`: a check fails without other lanes too. `interaction`: it fails only together with what landed since
 * the lane's base, by the lanes in `with`. `failed`: the checks that are to blame; `test` has their results.
 */
export type Eject = { do: 'eject'; laneId: string; cause: 'own' | 'interaction'; base: string; with: string[] } & Red;

/** Checks that failed in every run and that no person accepted. `test`: the newest run. */
interface Red {
  failed: readonly number[];
  test: MergeTest;
}

export function testStep(base: string, lanes: readonly LaneHead[], nth: number): Extract<MergeStep, { do: 'test' }> {
  return { do: 'test', base, lanes: lanes.map(({ laneId, head }) => ({ laneId, head })), nth };
}
