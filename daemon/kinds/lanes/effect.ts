import type { CommandKind } from '../../../schemas/enums.ts';
import type { CommittedWork } from '../../../schemas/events/phase.ts';
import type { LaneHead, MergeTest } from '../../../schemas/kinds/lanes/events.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import type { PlaceSetup } from '../../core/run/setupEnvironment.ts';

/** The effects for lanes and their merge queue. A review runs its checks the same way. */
export type LaneEffect =
  /** Finds the files that several tasks may write. */
  | { type: 'findOverlaps'; phaseId: string; laneId: string; attempt: number; main: LanePlace; tasks: TaskFiles[] }
  /** Brings `main` into a lane that was sent back: a clean merge, or a conflict for its agent to resolve. */
  | {
      type: 'prepareLane';
      phaseId: string;
      laneId: string;
      lane: LanePlace;
      onto: string;
      conflict: ConflictNote | null;
      writeSet: string[];
      /** ISO time of the commit. */
      at: string;
    }
  /** Checks the resolution of a conflict, and commits it. */
  | {
      type: 'commitResolution';
      phaseId: string;
      laneId: string;
      assignment: string;
      lane: LanePlace;
      onto: string;
      artifact: { path: string; storedPath: string | null; hash: string };
      writeSet: string[];
      /** ISO time of the commit. */
      at: string;
      acceptsDroppedTests: boolean;
    }
  /**
   * Merges lanes onto a base without a checkout, and runs the checks at the resulting tree. Without lanes it runs the checks at
   * base, as a review does.
   */
  | {
      type: 'testMerge';
      phaseId: string;
      laneId: string;
      main: LanePlace;
      /** devflow's worktree for checks. */
      worktree: string;
      base: string;
      lanes: LaneHead[];
      checks: { hash: string; commands: Check[] };
      /**
       * The set-up of the worktree comes first. `isCheck`: a set-up that fails counts as a failed check, else as a
       * failure.
       */
      setup?: PlaceSetup & { isCheck: boolean };
      /** 2: run the checks although the tree is known. */
      nth: number;
      /** Results for tested trees. No tree is tested twice without need. */
      known: Pick<MergeTest, 'tree' | 'failed' | 'results'>[];
      /** Directory of outputs. */
      dir: string;
      /** Absent: the checks run without a sandbox. */
      sandbox?: Sandbox;
      /** ISO time in the commits of the merge, so that the same merge is the same commit. */
      at: string;
    }
  /** Moves `main` to a tested commit. */
  | {
      type: 'landMerge';
      phaseId: string;
      laneId: string;
      main: LanePlace;
      from: string;
      to: string;
      lanes: string[];
      flaky: string[];
    };

/** A command that checks a merge or a reviewed commit. */
export interface Check {
  kind: CommandKind;
  argv: string[];
  timeoutMs: number;
}

/** The files that a task may write, as globs. */
export interface TaskFiles {
  id: string;
  writeSet: string[];
}

/** Where the agent reads what conflicts, and the tasks of both sides, a few lines each. */
export interface ConflictNote {
  /** Absolute, in the lane's worktree. */
  path: string;
  /** Counts the lane's returns: each attempt begins with fresh files. */
  nth: number;
  ours: string;
  theirs: string;
}

export type LaneOutcome =
  | { type: 'overlapsFound'; phaseId: string; attempt: number; ignoreCase: boolean; shared: SharedFiles[] }
  /**
   * `head`: the lane with `main` in it; with conflicting paths, the lane with what its agent committed after its turn.
   * `outside`: what of that lies outside of the lane's write set, if nothing conflicts.
   */
  | {
      type: 'lanePrepared';
      phaseId: string;
      laneId: string;
      onto: string;
      head: string;
      conflicts: string[];
      outside?: string[];
    }
  /** `work` is absent if the resolution was refused. */
  | {
      type: 'resolutionChecked';
      phaseId: string;
      laneId: string;
      assignment: string;
      onto: string;
      faults: string[];
      droppedTests: string[];
      committed?: { work: CommittedWork; head: string; outside: string[] };
    }
  | { type: 'mergeTested'; phaseId: string; test: MergeTest }
  | { type: 'mergeConflicted'; phaseId: string; laneId: string; head: string; base: string; paths: string[] }
  | {
      type: 'mergeLanded';
      phaseId: string;
      from: string;
      to: string;
      lanes: string[];
      flaky: string[];
      work: CommittedWork;
    }
  /** Somebody else moved `main`. */
  | { type: 'mergeRaced'; phaseId: string; from: string; now: string; lanes: string[] };

/** Existing files that two tasks may write. */
export interface SharedFiles {
  a: string;
  b: string;
  /** At most five examples. */
  files: string[];
  count: number;
}
