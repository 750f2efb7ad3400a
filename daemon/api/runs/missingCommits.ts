import { isTerminal } from '../../../schemas/enums.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { lastCommit } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { stateRulesOf } from '../../kinds/states.ts';
import { listSnapshots, snapshotRefs } from '../../repository/change/snapshotCheckout.ts';
import { createGit } from '../../repository/git/git.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import { worktreeOf } from '../../repository/git/worktreePlace.ts';
import { isAncestor } from '../../repository/privateGit/history.ts';
import type { PrivateGit } from '../../repository/privateGit/privateGit.ts';
import { withPrivateGit } from '../../repository/privateGit/temporaryGit.ts';
import { commitNamed } from '../../repository/privateGit/workCommit.ts';
import type { Difference } from '../../store/verify.ts';

/**
 * Commits that a branch of the run should contain and does not. Without its worktree, the branch of a lane is the person's.
 * Once the worktree of the run is gone, all branches are.
 */
export async function findMissingCommits(run: Run): Promise<Difference[]> {
  if (run.here) return missingSnapshots(run);
  const commits = await commitsOf(run);
  if (commits.length === 0 || !(await isDirectory(run.worktreeRoot))) return [];
  const place = worktreeOf(run);
  return withPrivateGit(place, createGit(), async (privateGit) => {
    const found: Difference[] = [];
    for (const { branch, commit } of commits) {
      const tip = await commitNamed(privateGit, `refs/heads/${branch}`);
      if (!(await contains(privateGit, tip, commit)))
        found.push({ path: `refs.${branch}`, replayed: commit, stored: tip ?? null });
    }
    return found;
  });
}

/** Without any ref of its snapshots, a person removed those of an ended run. */
async function missingSnapshots(run: Run): Promise<Difference[]> {
  const commit = lastCommit(run);
  if (commit === null || !(await isDirectory(run.worktreeRoot))) return [];
  const kept = await listSnapshots(run.repoPath, run.id);
  if (kept.includes(commit) || (kept.length === 0 && isTerminal(run.state))) return [];
  return [{ path: `refs.${snapshotRefs(run.id)}`, replayed: commit, stored: kept.at(-1) ?? null }];
}

/**
 * The commits of each branch. The run's has all that landed and was delivered, an open lane's has its newest commit.
 */
async function commitsOf(run: Run): Promise<{ branch: string; commit: string }[]> {
  const { branch } = worktreeOf(run);
  const main = [
    lastCommit(run),
    run.delivered?.commit,
    ...run.phases.map((phase) => stateRulesOf(phase).landed?.(phase)),
  ];
  const open = run.lanes.filter(({ id, state }) => id !== MAIN && state === 'open');
  const isThere = await Promise.all(open.map(({ path }) => isDirectory(path)));
  const lanes = open.filter((_, at) => isThere[at]);
  return [
    ...[...new Set(main)].flatMap((commit) => (commit ? [{ branch, commit }] : [])),
    // Before its first commit, a lane may have no branch yet.
    ...lanes.flatMap(({ head, ...lane }) => (head === null ? [] : [{ branch: lane.branch, commit: head }])),
  ];
}

async function contains(privateGit: PrivateGit, tip: string | undefined, commit: string): Promise<boolean> {
  if (tip === undefined) return false;
  return tip === commit || isAncestor(privateGit, commit, tip).catch(() => false);
}
