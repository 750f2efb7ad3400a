import type { Run } from './state.ts';

/** Which host this daemon is on. */
export interface Here {
  /** The id of this host. */
  id: string;
  /** True if other hosts have daemons on the same database. */
  shared: boolean;
  /** The host of the runs that have none. */
  unpinned: string;
}

/** The host that has the run's worktrees, files and agents. */
export function hostOf(run: Pick<Run, 'host'>, here: Pick<Here, 'unpinned'>): string {
  return run.host ?? here.unpinned;
}

/** True if the run's worktrees, files and agents are on this host. */
export function isHere(run: Pick<Run, 'host'>, here: Here): boolean {
  return hostOf(run, here) === here.id;
}

/** The host to show for a run; none if this is the only host, and the run's. */
export function shownHost(run: Pick<Run, 'host'>, here: Here, hasOthers: boolean): { host?: string } {
  const host = hostOf(run, here);
  return hasOthers || host !== here.id ? { host } : {};
}
