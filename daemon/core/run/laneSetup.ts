import type { EventPayload } from '../../../schemas/events/index.ts';

type Placed = EventPayload<'worktree.placed'>;
type SetUp = EventPayload<'worktree.set_up'>;

/** The progress of the set-up of a lane's worktree. */
export interface LaneSetup
  extends Pick<Placed, 'placed' | 'refused' | 'ports' | 'commands'>,
    Pick<SetUp, 'changed' | 'excluded'> {
  /** Variables of the worktree, beside its ports. */
  env: Record<string, string>;
  /** Counts the set-ups of the lane. */
  nth: number;
  /**
   * `placed`: files are there, and commands run. `failed`: after a guess the run goes on, else a person decides. `without`: a
   * person decided to go on without it. `due`: it must be done again.
   */
  state: 'placed' | 'done' | 'failed' | 'without' | 'due';
  /** True if it failed before anything was placed. */
  isUnplaced?: true;
  /** The hash of what it depends on; null if it never came so far. */
  inputs: string | null;
  /** Why it failed, or is due again. */
  reason: string | null;
  startedAt: string;
  endedAt: string | null;
  /** The time that it took, without the time in which no daemon ran. Null while it goes on. */
  ms: number | null;
  /** Set-ups since an agent or a command last did something in the lane. */
  inRow: number;
}
