import { createGit, type Git } from '../git/git.ts';
import { parseNumstat, totals } from '../git/numstat.ts';
import { type Lane, type LanePlace, openLane } from './lane.ts';
import { commitOfHead, independent, settleWorktree } from './laneHead.ts';
import { giveIndex, readTree, withIndex, writeTree } from './laneIndex.ts';
import { type LaneStatus, readStatus } from './laneStatus.ts';

export interface CommitWork {
  lane: LanePlace;
  /** One line; further lines are joined to it. */
  subject: string;
  body?: string;
  /** Become `Devflow-Run`, `Devflow-Phase` and `Devflow-Attempt`: the mark by which the commit is found again. */
  trailers: { run: string; phase: string; attempt: string | number };
  /** The newest commit of the lane that devflow knows. Everything after it counts as work. */
  since: string;
}

export interface CommittedWork {
  /** Null if nothing changed since. */
  commit: string | null;
  files: number;
  insertions: number;
  deletions: number;
  /** Repositories inside the worktree, which no commit has. Absent if there are none. */
  nestedRepositories?: string[];
}

const KEYS = ['run', 'phase', 'attempt'] as const;
const TRAILER = { run: 'Devflow-Run', phase: 'Devflow-Phase', attempt: 'Devflow-Attempt' } as const;

/**
 * Commits the files of the worktree to devflow's branch, whatever is checked out there. It leaves out ignored files and
 * repositories inside the worktree. An agent's own commits become ancestors. After a crash, the next call finds the commit
 * by its trailers. No hook and no filter runs, and nothing is signed. Throws git_failed.
 */
export async function commitWork(input: CommitWork, git: Git = createGit()): Promise<CommittedWork> {
  const lane = await openLane(input.lane, git);
  const [status, head] = await Promise.all([readStatus(lane), commitOfHead(lane)]);
  const nested =
    status.nested.length === 0 ? {} : { nestedRepositories: status.nested.map((path) => path.slice(0, -1)) };
  const moved = head !== 'branch';
  const clean = status.files.length === 0;
  if (clean && status.tip === input.since && !moved) {
    await settleWorktree(lane);
    return { ...NOTHING, ...nested };
  }
  const earlier = clean && status.tip !== input.since ? await findCommit(lane, input) : null;
  const commit = earlier ?? (await makeCommit(lane, input, status, moved ? head : null));
  if (moved || commit !== null) await giveIndex(lane);
  await settleWorktree(lane);
  if (commit === null) return { ...NOTHING, ...nested };
  return { commit, ...(await measure(lane, input.since, commit)), ...nested };
}

const NOTHING: CommittedWork = { commit: null, files: 0, insertions: 0, deletions: 0 };

/** Null if nothing differs from `since`. */
async function makeCommit(lane: Lane, input: CommitWork, status: LaneStatus, head: string | null) {
  const { tip } = status;
  const tree = await withIndex(lane, async (index) => {
    if (head === null || head === tip) return writeTree(lane, index, status.paths);
    // Files of the agent's commits are work, even if its ignore files hide them.
    await readTree(lane, index, head);
    return writeTree(lane, index, (await readStatus(lane, index)).paths);
  });
  const parents = await independent(lane, [input.since, tip, head]);
  if (parents.length === 1 && parents[0] === input.since && tree === (await treeOf(lane, input.since))) return null;
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const { stdout: commit } = await lane.objects(['commit-tree', tree, ...flags, '-F', '-'], {
    input: messageOf(input),
    settings: lane.hasIdentity ? [] : ['user.name=devflow', 'user.email=devflow@localhost'],
  });
  const why = `commit (devflow): ${subjectOf(input)}`;
  await lane.objects(['update-ref', '--no-deref', '-m', why, `refs/heads/${lane.branch}`, commit, tip ?? '']);
  return commit;
}

async function treeOf(lane: Lane, commit: string): Promise<string> {
  return (await lane.objects(['rev-parse', '--verify', `${commit}^{tree}`], { read: true })).stdout;
}

function subjectOf({ subject }: CommitWork): string {
  return subject.replace(/\s+/g, ' ').trim() || 'Work of an agent';
}

function messageOf(input: CommitWork): string {
  const marks = KEYS.map((key) => `${TRAILER[key]}: ${input.trailers[key]}`).join('\n');
  return `${[subjectOf(input), input.body?.trim() ?? '', marks].filter((part) => part !== '').join('\n\n')}\n`;
}

async function findCommit(lane: Lane, { trailers, since }: CommitWork): Promise<string | null> {
  const marks = KEYS.map((key) => `%(trailers:key=${TRAILER[key]},valueonly,separator=%x20)`).join('%x09');
  const range = [`^${since}`, `refs/heads/${lane.branch}`, '--'];
  const { stdout: log } = await lane.objects(['log', `--format=%H%x09${marks}`, ...range], { read: true });
  const wanted = KEYS.map((key) => String(trailers[key])).join('\t');
  const line = log.split('\n').find((candidate) => candidate.slice(candidate.indexOf('\t') + 1) === wanted);
  return line === undefined ? null : line.slice(0, line.indexOf('\t'));
}

/** Counts all changes since, including the agent's own commits. */
async function measure(lane: Lane, since: string, commit: string) {
  const flags = ['--numstat', '-z', '--no-ext-diff', '--no-textconv', '--find-renames'];
  const { stdout } = await lane.objects(['diff', ...flags, since, commit, '--'], { read: true });
  return totals(parseNumstat(stdout));
}
