import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { Sandbox } from '../../../schemas/sandbox.ts';
import { laneOf } from './lanes.ts';
import { commandSandbox } from './sandboxOf.ts';
import type { Run } from './state.ts';

/** The environment of agents and commands in a place of the run; none if its worktrees are not set up. */
export function placeEnvironment(
  { id, repoPath, setup }: Pick<Run, 'id' | 'repoPath' | 'setup'>,
  { name, worktree, own = {} }: { name: string; worktree: string; own?: Readonly<Record<string, string>> },
): Record<string, string> {
  if (!setup) return {};
  return {
    ...setup.env,
    ...own,
    DEVFLOW_RUN: id,
    DEVFLOW_LANE: name,
    DEVFLOW_WORKTREE: worktree,
    DEVFLOW_CHECKOUT: repoPath,
  };
}

/** The same for a lane, with the ports of its own. */
export function laneEnvironment(run: Run, laneId: string): Record<string, string> {
  const { path, setup } = laneOf(run, laneId);
  const ports = Object.entries(setup?.ports ?? {}).map(([variable, port]) => [variable, String(port)]);
  const own = { ...setup?.env, ...Object.fromEntries(ports) };
  return worktreeEnvironment(run.setup?.env ?? {}, placeEnvironment(run, { name: laneId, worktree: path, own }));
}

/** How a place of devflow's own, in which no agent works, is set up. */
export interface PlaceSetup {
  setup: WorktreeSetup;
  /** Stronger than the variables of the set-up. */
  env: Record<string, string>;
  /** Milliseconds for each command. */
  timeoutMs: number;
  /** Absent: its commands run without a sandbox. */
  sandbox?: Sandbox;
}

/** None if the worktrees of the run are not set up. */
export function placeSetup(run: Run, name: string, worktree: string): { setup?: PlaceSetup } {
  const { setup, options } = run;
  if (!setup) return {};
  return {
    setup: {
      setup,
      env: placeEnvironment(run, { name, worktree }),
      timeoutMs: options.commandTimeoutMs,
      ...commandSandbox(run),
    },
  };
}
