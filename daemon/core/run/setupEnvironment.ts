import { laneOf } from './lanes.ts';
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
  return placeEnvironment(run, { name: laneId, worktree: path, own: { ...setup?.env, ...Object.fromEntries(ports) } });
}
