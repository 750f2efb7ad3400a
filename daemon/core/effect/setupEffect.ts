import type { EventPayload } from '../../../schemas/events/index.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { LanePlace } from '../run/lanes.ts';

/** The effects that set a worktree up, beside the commands. */
export type SetupEffect =
  /** Copies, clones and links what the worktree gets of the person's checkout, and finds out which commands must run. */
  | {
      type: 'placeWorktree';
      phaseId: string;
      laneId: string;
      nth: number;
      lane: LanePlace;
      setup: WorktreeSetup;
      /** The ports that the lane has already. */
      ports: Record<string, number>;
      /** The commands of the set-up before: what they left running has these ports. */
      earlier: CommandFilesOf;
    }
  /** Puts back what the set-up changed, and keeps out of commits what it made. */
  | {
      type: 'finishSetup';
      phaseId: string;
      laneId: string;
      nth: number;
      lane: LanePlace;
      setup: WorktreeSetup;
      /** Why a command of it failed; null: none did. */
      failure: string | null;
      commands: CommandFilesOf;
    };

/** Commands, and the directory of their files. */
export interface CommandFilesOf {
  dir: string;
  ids: readonly string[];
}

export type SetupOutcome =
  | ({ type: 'worktreePlaced' } & EventPayload<'worktree.placed'>)
  | ({ type: 'setupFinished' } & Omit<EventPayload<'worktree.set_up'>, 'withoutSetup'>)
  /** The worktree is not as it was set up. */
  | ({ type: 'setupOutdated' } & EventPayload<'worktree.outdated'>);
