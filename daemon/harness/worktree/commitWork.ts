import { createGit, type Git } from '../git/git.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { independent, rememberTree, treeOf } from '../privateGit/history.ts';
import { measure } from '../privateGit/measure.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { giveIndex, readTree, withIndex, writeTree } from '../privateGit/privateIndex.ts';
import type { ListedWorktree } from './readWorktree.ts';
import { commitOfHead, settleWorktree } from './worktreeHead.ts';
import { readStatus, type WorktreeStatus } from './worktreeStatus.ts';

export interface CommitWork {
  worktree: WorktreePlace;
  /** One line. Line breaks become spaces. */
  subject: string;
  body?: string;
  /** Become `Devflow-Run`, `Devflow-Phase` and so on, by which a later call finds the commit. */
  trailers: { run: string; phase: string; attempt: string | number; task?: string };
  /** The newest commit of the branch that devflow knows. Everything after it counts as work. */
  since: string;
}

export interface CommittedWork {
  /** Null if nothing changed. */
  commit: string | null;
  files: number;
  insertions: number;
  deletions: number;
  /** Repositories inside the worktree, which no commit contains. Absent if there are none. */
  nestedRepositories?: string[];
}

const TRAILER = {
  run: 'Devflow-Run',
  phase: 'Devflow-Phase',
  attempt: 'Devflow-Attempt',
  task: 'Devflow-Task',
} as const;
const KEYS = ['run', 'phase', 'attempt', 'task'] as const;

/**
 * Commits the files of the worktree to devflow's branch, whatever is checked out there. It leaves out ignored files and
 * repositories inside the worktree. An agent's own commits become ancestors. After a crash, the next call finds the commit
 * by its trailers. No hook and no filter runs, and nothing is signed. Throws git_failed. `listed`: the worktree, if there
 * was nothing to commit. After a commit the caller must read it again.
 */
export async function commitAndList(
  input: CommitWork,
  git: Git = createGit(),
): Promise<{ work: CommittedWork; listed?: ListedWorktree }> {
  const privateGit = await openPrivateGit(input.worktree, git);
  const [status, head] = await Promise.all([readStatus(privateGit), commitOfHead(privateGit)]);
  const nested =
    status.nested.length === 0 ? {} : { nestedRepositories: status.nested.map((path) => path.slice(0, -1)) };
  const moved = head !== 'branch';
  const clean = status.files.length === 0;
  if (clean && status.tip === input.since && !moved) {
    await settleWorktree(privateGit);
    return { work: { ...NOTHING, ...nested }, listed: { privateGit, standsOn: head, status } };
  }
  const earlier = clean && status.tip !== input.since ? await findCommit(privateGit, input) : null;
  const made =
    earlier === null
      ? await makeCommit(privateGit, input, status, moved ? head : null)
      : { commit: earlier, ...(await measure(privateGit, input.since, earlier)) };
  if (moved || made !== null) await giveIndex(privateGit);
  await settleWorktree(privateGit);
  return { work: { ...(made ?? NOTHING), ...nested } };
}

const NOTHING: CommittedWork = { commit: null, files: 0, insertions: 0, deletions: 0 };

/** Null if nothing differs from `since`. */
async function makeCommit(privateGit: PrivateGit, input: CommitWork, status: WorktreeStatus, head: string | null) {
  const { tip } = status;
  const tree = await withIndex(privateGit, async (index) => {
    if (head === null || head === tip) return writeTree(privateGit, index, status.paths);
    // Files of the agent's commits count, even if its ignore files hide them.
    await readTree(privateGit, index, head);
    return writeTree(privateGit, index, (await readStatus(privateGit, index)).paths);
  });
  const parents = await independent(privateGit, [input.since, tip, head]);
  if (parents.length === 1 && parents[0] === input.since && tree === (await treeOf(privateGit, input.since)))
    return null;
  // Side by side: a person waits for both.
  const [commit, size] = await Promise.all([
    recordCommit(privateGit, input, { tree, parents, tip }),
    measure(privateGit, input.since, tree),
  ]);
  return { commit, ...size };
}

/** Puts a commit on the branch, which must still be at `tip`. */
export async function recordCommit(
  privateGit: PrivateGit,
  input: CommitWork,
  { tree, parents, tip }: { tree: string; parents: readonly string[]; tip: string | null },
): Promise<string> {
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const { stdout: commit } = await privateGit.objects(['commit-tree', tree, ...flags, '-F', '-'], {
    input: messageOf(input),
    settings: privateGit.hasIdentity ? [] : ['user.name=devflow', 'user.email=devflow@localhost'],
  });
  const why = `commit (devflow): ${subjectOf(input)}`;
  await privateGit.objects([
    'update-ref',
    '--no-deref',
    '-m',
    why,
    `refs/heads/${privateGit.branch}`,
    commit,
    tip ?? '',
  ]);
  rememberTree(commit, tree);
  return commit;
}

function subjectOf({ subject }: CommitWork): string {
  return subject.replace(/\s+/g, ' ').trim() || 'Work of an agent';
}

function messageOf(input: CommitWork): string {
  const given = KEYS.filter((key) => input.trailers[key] !== undefined);
  const marks = given.map((key) => `${TRAILER[key]}: ${input.trailers[key]}`).join('\n');
  return `${[subjectOf(input), input.body?.trim() ?? '', marks].filter((part) => part !== '').join('\n\n')}\n`;
}

async function findCommit(privateGit: PrivateGit, { trailers, since }: CommitWork): Promise<string | null> {
  const marks = KEYS.map((key) => `%(trailers:key=${TRAILER[key]},valueonly,separator=%x20)`).join('%x09');
  const range = [`^${since}`, `refs/heads/${privateGit.branch}`, '--'];
  const { stdout: log } = await privateGit.objects(['log', `--format=%H%x09${marks}`, ...range], { read: true });
  const wanted = KEYS.map((key) => String(trailers[key] ?? '')).join('\t');
  // The end of git's output is trimmed, so the last line can lack empty fields.
  const isIt = (line: string) => line.slice(line.indexOf('\t') + 1).trimEnd() === wanted.trimEnd();
  const line = log.split('\n').find(isIt);
  return line === undefined ? null : line.slice(0, line.indexOf('\t'));
}

/** What two commits of a branch differ by. */
export async function measureWork(
  worktree: WorktreePlace,
  since: string,
  commit: string,
  git: Git = createGit(),
): Promise<CommittedWork> {
  return { commit, ...(await measure(await openPrivateGit(worktree, git), since, commit)) };
}
