import { commandOutputDir } from '../../../schemas/files/runPaths.ts';
import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import { laneOf } from './lanes.ts';
import { commandSandbox } from './sandboxOf.ts';
import type { Run } from './state.ts';

/** The variables that name a place of the run to its agents and commands. */
export function placeNames(
  { id, repoPath }: Pick<Run, 'id' | 'repoPath'>,
  { name, worktree }: { name: string; worktree: string },
): Record<string, string> {
  return { DEVFLOW_RUN: id, DEVFLOW_LANE: name, DEVFLOW_WORKTREE: worktree, DEVFLOW_CHECKOUT: repoPath };
}

/** The ports and names of a lane. */
export function laneVariables(run: Run, laneId: string): Record<string, string> {
  const { path, setup } = laneOf(run, laneId);
  const ports = Object.entries(setup?.ports ?? {}).map(([variable, port]) => [variable, String(port)]);
  return { ...Object.fromEntries(ports), ...placeNames(run, { name: laneId, worktree: path }) };
}

/** The environment of agents and commands in a lane; none if the worktrees of the run are not set up. */
export function laneEnvironment(run: Run, laneId: string): Record<string, string> {
  if (!run.setup) return {};
  return { ...worktreeEnvironment(run.setup.env, laneVariables(run, laneId)), ...laneOf(run, laneId).setup?.env };
}

/** The set-up of a place of devflow's own, in which no agent works. */
export interface PlaceSetup {
  setup: WorktreeSetup;
  /** Stronger than the variables of the set-up, which may name them. */
  names: Record<string, string>;
  /** Milliseconds for each command. */
  timeoutMs: number;
  /** The directory of outputs. */
  dir: string;
  /** Absent: its commands run without a sandbox. */
  sandbox?: Sandbox;
}

/** None if the worktrees of the run are not set up. */
export function placeSetup(run: Run, name: string, worktree: string): { setup?: PlaceSetup } {
  const { setup, options, workspaceRoot, id } = run;
  if (!setup) return {};
  const names = placeNames(run, { name, worktree });
  const dir = commandOutputDir(workspaceRoot, id);
  return { setup: { setup, names, timeoutMs: options.commandTimeoutMs, dir, ...commandSandbox(run) } };
}
