import type { Step } from '../../../schemas/enums.ts';
import type { ProbePlan } from '../../../schemas/kinds/step/probePlan.ts';
import type { LanePlace } from '../../core/run/lanes.ts';

/** devflow's own work in a phase of kind `step`. */
export interface StepEffect {
  type: 'performStep';
  phaseId: string;
  attempt: number;
  step: Step;
  lane: LanePlace;
  baseCommit: string;
  /** When the phase began. */
  since: string;
  /** For the output of programs that the step runs, and the files that they read. */
  dir: string;
  path: string;
  storedPath: string;
  schema: string;
  /** The valid artifacts that the step reads, by schema. */
  inputs: Readonly<Record<string, { path: string; storedPath: string | null; hash: string }>>;
  /** A person's decision about the commands that the step would run; null if nobody was asked. */
  probes: ProbesDecided | null;
  /** For a step that runs commands of the repository; absent: the worktree is not set up. */
  setup?: SetUpLane;
}

/** The part of a lane's set-up that a step takes over. */
export interface SetUpLane {
  /** The values may name the variables. */
  env: Readonly<Record<string, string>>;
  /** The variables that are ports. */
  ports: readonly string[];
  /** The ports and names of the lane. */
  variables: Readonly<Record<string, string>>;
}

/** The decision at a gate `probes_approved`. */
export interface ProbesDecided {
  /** The hash of the list that was decided. */
  plan: string;
  run: boolean;
}

/** A step that devflow did: its artifact, why there is none, or what a person must decide first. */
export interface StepOutcome {
  type: 'stepPerformed';
  phaseId: string;
  attempt: number;
  result:
    | { ok: true; path: string; storedPath: string; schema: string; hash: string }
    | { ok: false; reason: string }
    | { ok: false; ask: ProbePlan };
}
