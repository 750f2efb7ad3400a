import type { WorktreePlace } from '../git/worktreePlace.ts';
import { rememberTree } from '../privateGit/history.ts';
import { identitySettings, type PrivateGit } from '../privateGit/privateGit.ts';

/** A part of the work that becomes a commit of its own. */
export interface CommitStep {
  step: number;
  subject: string;
  /** True if a changed file belongs to it. */
  takes(path: string): boolean;
}

export interface CommitWork {
  worktree: WorktreePlace;
  /** One line. Line breaks become spaces. */
  subject: string;
  body?: string;
  /** Become `Devflow-Run`, `Devflow-Phase` and so on, by which a later call finds the commit. */
  trailers: { run: string; phase: string; attempt: string | number; task?: string; step?: number };
  /** The newest commit of the branch that devflow knows. Everything after it counts as work. */
  since: string;
  /** Parts that become commits of their own, before the commit of the rest. */
  steps?: readonly CommitStep[];
}

export const TRAILER = {
  run: 'Devflow-Run',
  phase: 'Devflow-Phase',
  attempt: 'Devflow-Attempt',
  task: 'Devflow-Task',
  step: 'Devflow-Step',
} as const;
/** By these a later call finds a commit. */
const KEYS = ['run', 'phase', 'attempt', 'task'] as const;
type Key = (typeof KEYS)[number];
/** By these it finds one of any attempt. */
export const OF_ANY_ATTEMPT: readonly Key[] = ['run', 'phase', 'task'];

/** Puts a commit on the branch, which must still be at `tip`. */
export async function recordCommit(
  privateGit: PrivateGit,
  input: CommitWork,
  { tree, parents, tip }: { tree: string; parents: readonly string[]; tip: string | null },
): Promise<string> {
  const flags = parents.flatMap((parent) => ['-p', parent]);
  const { stdout: commit } = await privateGit.objects(['commit-tree', tree, ...flags, '-F', '-'], {
    input: messageOf(input),
    settings: identitySettings(privateGit),
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

/** Points the branch, which must still be at `tip`, to another commit. */
export async function resetBranch(privateGit: PrivateGit, to: string, tip: string | null): Promise<void> {
  await privateGit.objects(['update-ref', '--no-deref', `refs/heads/${privateGit.branch}`, to, tip ?? '']);
}

function subjectOf({ subject }: CommitWork): string {
  return subject.replace(/\s+/g, ' ').trim() || 'Work of an agent';
}

function messageOf(input: CommitWork): string {
  const given = [...KEYS, 'step' as const].filter((key) => input.trailers[key] !== undefined);
  const marks = given.map((key) => `${TRAILER[key]}: ${input.trailers[key]}`).join('\n');
  return `${[subjectOf(input), input.body?.trim() ?? '', marks].filter((part) => part !== '').join('\n\n')}\n`;
}

/** The newest commit with these trailers after `since`; null if there is none. */
export async function findCommit(
  privateGit: PrivateGit,
  { trailers, since }: CommitWork,
  keys: readonly Key[] = KEYS,
): Promise<string | null> {
  const marks = keys.map((key) => `%(trailers:key=${TRAILER[key]},valueonly,separator=%x20)`).join('%x09');
  const range = [`^${since}`, `refs/heads/${privateGit.branch}`, '--'];
  const { stdout: log } = await privateGit.objects(['log', `--format=%H%x09${marks}`, ...range], { read: true });
  const wanted = keys.map((key) => String(trailers[key] ?? '')).join('\t');
  // The end of git's output is trimmed, so the last line can lack empty fields.
  const isIt = (line: string) => line.slice(line.indexOf('\t') + 1).trimEnd() === wanted.trimEnd();
  const line = log.split('\n').find(isIt);
  return line === undefined ? null : line.slice(0, line.indexOf('\t'));
}
