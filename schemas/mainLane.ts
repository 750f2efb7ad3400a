/** The lane that always exists: the run's own worktree and branch. */
export const MAIN = 'main';

/**
 * The name of an agent in its run: its role instance, and its lane where that is not `main`. `devflow attach <run>/<name>`
 * takes it.
 */
export function agentName({ roleId, laneId }: { roleId: string; laneId: string }): string {
  return laneId === MAIN ? roleId : `${roleId}@${laneId}`;
}

/** The role of an agent: a role with `count` above 1 has the instances `role#0` and `role#1`. */
export function roleOf(roleId: string): string {
  return roleId.replace(/#\d+$/, '');
}
