import type { CommandKind } from '../../../schemas/enums.ts';

/** A command that devflow ran, or runs. */
export interface CommandRun {
  id: string;
  phaseId: string;
  laneId: string;
  /** In a lane: which turn of its agents the command checks. */
  turn?: number;
  attempt: number;
  index: number;
  kind: CommandKind;
  argv: string[];
  cwd: string;
  env?: Record<string, string>;
  stdoutPath: string;
  stderrPath: string;
  timeoutMs: number;
  state: 'started' | 'completed' | 'failed';
  exitCode: number | null;
  reason: string | null;
  /** The last lines of its output, for the agent that must repair what failed. */
  tail?: string;
  startedAt: string;
  endedAt: string | null;
}
