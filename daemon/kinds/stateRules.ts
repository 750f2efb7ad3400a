import type { NotDone } from '../../schemas/kinds/lanes/notDone.ts';

/** The core's questions about the state of a phase that only its kind understands. */
export interface StateRules<S> {
  /** The state of a phase that has not begun. */
  initial: S;
  /** False if more follows once all assignments are done, so that the phase counts as running until its last step. */
  endsWithAssignments: boolean;
  /** The newest commit that the phase brought to `main` itself. */
  landed?(state: S): string | undefined;
  /** The commits between which readers of the phase read. */
  look?(state: S): { base: string; from: string | null } | undefined;
  countTasks?(state: S): number;
  /** True while something that nobody has begun is to answer the comment. */
  willAnswer?(state: S, commentId: string): boolean;
  /** True while it still plans the tasks of a lane. */
  isPlanned?(state: S, laneId: string): boolean;
  /** The tasks that it gave up. `endedBecause` says why a lane ended; undefined if the lane did not. */
  notDone?(state: S, endedBecause: (laneId: string) => string | undefined): Omit<NotDone, 'phaseKey'>[];
}
