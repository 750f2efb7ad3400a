import { DevflowError } from '../../../schemas/errors.ts';
import type { ApplyPlan } from '../../../schemas/rpc/methods/runApply.ts';
import type { AcceptedCommit, MovedBranch } from '../../../schemas/rpc/views/movedBranch.ts';
import { acceptedName } from '../../../schemas/rpc/views/movedNote.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { shellWord } from '../../../schemas/text/visible.ts';
import { independent, isAncestor } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed, findWork, type WorkCommit } from '../privateGit/workCommit.ts';
import { commitsBetween } from './size.ts';

/** The commit that a person wants, and the commits of the run that are approved. */
export interface WantedCommit {
  runId: string;
  /** The branch of the run. */
  work: string;
  baseCommit: string;
  /** The last commit that devflow made; null if it made none. */
  lastCommit: string | null;
  /**
   * The commits at which the branch may be: devflow's last one, then those that a person approved. One may contain the
   * others.
   */
  accepted: readonly AcceptedCommit[];
  /** The first digits of the commit at which a person accepts the branch, approved or not. */
  acceptedHead?: string;
  /** The first digits of the accepted commit to apply, wherever the branch is. */
  at?: string;
}

/** The commit to apply, and how it differs from what is approved. */
export async function findWanted(
  privateGit: PrivateGit,
  wish: WantedCommit,
): Promise<WorkCommit & { moved: MovedBranch | null }> {
  if (wish.at !== undefined) return { ...(await findApproved(privateGit, wish, wish.at)), moved: null };
  const found = await findWork(privateGit, wish.lastCommit ?? wish.baseCommit);
  return { ...found, moved: await readMoved(privateGit, wish.accepted, found) };
}

async function findApproved(privateGit: PrivateGit, { accepted, work }: WantedCommit, at: string): Promise<WorkCommit> {
  const approved = accepted.find(({ commit }) => commit.startsWith(at))?.commit;
  if (approved === undefined) {
    const { commit, source } = await newestOf(privateGit, accepted).then(firstOf);
    const message = `${at} is not ${acceptedName({ approved: commit, source })} of ${work}.`;
    throw new DevflowError('usage', message, { recoveryHint: `Apply that one: --at ${commit.slice(0, 12)}.` });
  }
  if ((await commitNamed(privateGit, approved)) !== undefined) return { head: approved, hasBranch: true };
  throw new DevflowError('branch_missing', `The commit ${approved.slice(0, 12)} is gone from ${privateGit.repoPath}.`);
}

/** Null if the branch is at an accepted commit, or gone. */
export async function readMoved(
  privateGit: PrivateGit,
  accepted: readonly AcceptedCommit[],
  { head, hasBranch }: WorkCommit,
): Promise<MovedBranch | null> {
  if (!hasBranch) return null;
  const newest = await newestOf(privateGit, accepted);
  if (newest.some(({ commit }) => commit === head)) return null;
  const { commit: approved, source } = firstOf(newest);
  const isThere = (await commitNamed(privateGit, approved)) !== undefined;
  const hasApproved = isThere && (await isAncestor(privateGit, approved, head));
  const more = hasApproved ? await commitsBetween(privateGit, approved, head) : { commits: [], commitCount: 0 };
  return { approved, source, head, hasApproved, ...more };
}

/** The commits that no other one contains. Only the first if git no longer has it, because then nobody can compare. */
async function newestOf(privateGit: PrivateGit, accepted: readonly AcceptedCommit[]): Promise<AcceptedCommit[]> {
  const first = firstOf(accepted);
  if (accepted.length === 1 || (await commitNamed(privateGit, first.commit)) === undefined) return [first];
  const newest = await independent(
    privateGit,
    accepted.map(({ commit }) => commit),
  );
  return accepted.filter(({ commit }) => newest.includes(commit));
}

/** A run always has one. */
function firstOf(accepted: readonly AcceptedCommit[]): AcceptedCommit {
  return accepted[0] as AcceptedCommit;
}

/** The refusal to apply the work without a further word of a person. */
export function refusalOfMove(
  { moved, head, repoPath }: ApplyPlan,
  { acceptedHead, runId, work }: WantedCommit,
): DevflowError | undefined {
  const apply = `devflow run apply ${runId.slice(0, 8)}`;
  if (acceptedHead !== undefined) {
    if (head.startsWith(acceptedHead)) return undefined;
    const message = `The branch ${work} is at ${head.slice(0, 12)}, not at ${acceptedHead}.`;
    return branchMoved(
      message,
      `Look at it: devflow run diff ${runId.slice(0, 8)}. Then name the commit that you saw.`,
      {
        head,
      },
    );
  }
  if (!moved) return undefined;
  const approved = moved.approved.slice(0, 12);
  const range = `${approved}..${head.slice(0, 12)}`;
  const look = ['git', '-C', repoPath, ...(moved.hasApproved ? ['log', '-p', range] : ['diff', range])];
  return branchMoved(
    whatMoved(moved, work),
    `Look: ${look.map(shellWord).join(' ')}. Apply the branch as it is: ${apply} --head ${head.slice(0, 12)}. Apply only ${acceptedName(moved)}: ${apply} --at ${approved}.`,
    { approved: moved.approved, head, commits: moved.commits },
  );
}

function whatMoved(moved: MovedBranch, work: string) {
  const { hasApproved, commits, commitCount } = moved;
  if (!hasApproved) return `The branch ${work} no longer has ${acceptedName(moved)}.`;
  const named = commits.slice(0, 3).map(({ commit, subject }) => `${commit.slice(0, 12)} "${subject}"`);
  const more = commitCount > named.length ? ', …' : '';
  return `The branch ${work} has ${counted(commitCount, 'commit')} that came after ${acceptedName(moved)}: ${named.join(', ')}${more}.`;
}

function branchMoved(message: string, recoveryHint: string, data: Record<string, unknown>): DevflowError {
  return new DevflowError('branch_moved', message, { recoveryHint, data });
}
