import type { Measurement } from '../../../schemas/objective/measured.ts';
import type { Measure } from '../../../schemas/objective/objective.ts';
import type { MetricUnits } from '../../../schemas/objective/units.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import type { PlaceSetup } from '../../core/run/setupEnvironment.ts';

/** The effects of an evaluation, beside the commands. */
export type EvaluationEffect =
  /** Reads what an evaluation measures, and whether an agent changed what it must not. */
  | {
      type: 'inspectEvaluation';
      phaseId: string;
      attempt: number;
      lane: LanePlace;
      /** The best commit so far; null at the base. */
      since: string | null;
      files: ProtectedFiles;
      /** The directory of all its measurements, which only devflow may have made. */
      metrics: string;
      /** Where it is measured; absent: where the agents work. */
      apart?: EvaluationPlace;
    }
  /** Reads what the command that measures has written. */
  | {
      type: 'readMeasurement';
      phaseId: string;
      commandId: string;
      lane: LanePlace;
      /** The directory that the command wrote to; null: the one whose name only the command got. */
      dir: string | null;
      stdoutPath: string;
      stderrPath: string;
      ended: { ok: boolean; reason: string };
      source: Pick<Measure, 'parser' | 'file' | 'names'>;
      /** Absent for runs in which every bare number is a ratio. */
      units?: MetricUnits;
      files: ProtectedFiles;
      /** Where it was measured; absent: where the agents work. */
      apart?: EvaluationPlace;
    }
  /** Commits the files of the best commit, if the branch has others, and gives the worktree exactly these. */
  | {
      type: 'restoreBest';
      phaseId: string;
      phaseKey: string;
      attempt: number;
      lane: LanePlace;
      since: string;
      best: string;
      title: string;
    };

/** devflow's own place to measure in. */
export interface EvaluationPlace {
  worktree: string;
  home: string;
  /** Absent: it has only the files of the commit. */
  setup?: PlaceSetup;
}

/** More about a command that measures than its words. */
export interface MeasuringCommand extends EvaluationPlace {
  commit: string;
  /** The directory of the one that it writes to, whose name nobody else gets. */
  metrics: string;
}

/** The files that no agent may change. */
export interface ProtectedFiles {
  /** Globs of what agents may change; empty: everything that is not protected. */
  editable: string[];
  globs: string[];
  /** The command that measures: its program and scripts in the worktree are protected too. */
  argv: string[];
  /** True if files over 64 MB are compared by their content, too. */
  hashesLarge?: boolean;
}

export type EvaluationOutcome =
  | {
      type: 'evaluationInspected';
      phaseId: string;
      attempt: number;
      commit: string;
      tree: string;
      protectedHash: string;
      /** Forbidden changes, in sentences. */
      touched: string[];
    }
  | { type: 'measured'; phaseId: string; commandId: string; measurement: Measurement; protectedHash: string };
