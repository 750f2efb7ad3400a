import { createGit, type Git } from './git.ts';
import { parseNumstat, totals } from './numstat.ts';
import { QUIET } from './quiet.ts';

export interface CommitWork {
  worktree: string;
  /** One line; further lines are joined to it. */
  subject: string;
  body?: string;
  /** Become `Devflow-Run`, `Devflow-Phase` and `Devflow-Attempt`: the mark by which the commit is found again. */
  trailers: { run: string; phase: string; attempt: string | number };
  /** A commit that is older than the work; bounds the search for the mark. */
  since?: string;
}

export interface CommittedWork {
  /** Null when there was nothing to commit. */
  commit: string | null;
  files: number;
  insertions: number;
  deletions: number;
  /** Repositories inside of the worktree that the base commit does not have; left out. Absent without any. */
  nestedRepositories?: string[];
}

const NOTHING: CommittedWork = { commit: null, files: 0, insertions: 0, deletions: 0 };
const OID = '# branch.oid ';
const KEYS = ['run', 'phase', 'attempt'] as const;
const TRAILER = { run: 'Devflow-Run', phase: 'Devflow-Phase', attempt: 'Devflow-Attempt' } as const;

/**
 * Commits everything in the worktree that is not ignored. Doing it again after a crash finds the commit by its trailers.
 * Hooks do not run (they may ask, change files or refuse, and the work must be kept whatever they think of it) and
 * nothing is signed (a passphrase prompt would hang the daemon); people do both when they merge. Throws git_failed.
 */
export async function commitWork(input: CommitWork, git: Git = createGit()): Promise<CommittedWork> {
  const { worktree, since } = input;
  const { head, dirty } = await stateOf(worktree, git);
  if (!dirty) {
    // Most phases write no code: then this one call of git is all.
    const earlier = head === since ? null : await findCommit(input, git);
    return earlier === null ? NOTHING : describe(worktree, earlier, git);
  }
  const [identity] = await Promise.all([
    identitySettings(worktree, git),
    git.run(worktree, ['-c', 'advice.addEmbeddedRepo=false', 'add', '-A'], { timeoutMs: 600_000 }),
  ]);
  const staged = await git.run(worktree, ['diff', '--cached', '--quiet'], { read: true, accept: [0, 1] });
  if (staged.exitCode === 0) return NOTHING;

  const settings = [...QUIET, '-c', 'commit.gpgsign=false', ...identity];
  const flags = ['--no-verify', '--quiet', '--cleanup=whitespace', '--file=-'];
  await git.run(worktree, [...settings, 'commit', ...flags], { input: messageOf(input), timeoutMs: 600_000 });
  return describe(worktree, 'HEAD', git);
}

/** The commit the worktree stands on (`(initial)` on an unborn branch), and whether something in it is not committed. */
async function stateOf(worktree: string, git: Git): Promise<{ head: string; dirty: boolean }> {
  const flags = ['--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--no-renames'];
  const text = await git.read(worktree, ['status', ...flags]);
  const lines = text.split('\0').filter((line) => line !== '');
  const head = lines.find((line) => line.startsWith(OID))?.slice(OID.length) ?? '';
  return { head, dirty: lines.some((line) => !line.startsWith('# ')) };
}

function messageOf({ subject, body, trailers }: CommitWork): string {
  const line = subject.replace(/\s+/g, ' ').trim() || 'Work of an agent';
  const marks = KEYS.map((key) => `${TRAILER[key]}: ${trailers[key]}`).join('\n');
  return [line, body?.trim() ?? '', marks].filter((part) => part !== '').join('\n\n');
}

/** The user's own identity when git knows one; a stand-in for this call otherwise, never written anywhere. */
async function identitySettings(worktree: string, git: Git): Promise<string[]> {
  const known = await git.read(worktree, ['config', '--get-regexp', '^user\\.(name|email)$', '.'], { accept: [0, 1] });
  if (/^user\.name \S/m.test(known) && /^user\.email \S/m.test(known)) return [];
  return ['-c', 'user.name=devflow', '-c', 'user.email=devflow@localhost'];
}

async function findCommit({ worktree, trailers, since }: CommitWork, git: Git): Promise<string | null> {
  const marks = KEYS.map((key) => `%(trailers:key=${TRAILER[key]},valueonly,separator=%x20)`).join('%x09');
  const range = since === undefined ? ['--max-count=200', 'HEAD'] : [`${since}..HEAD`];
  const log = await git.read(worktree, ['log', `--format=%H%x09${marks}`, ...range]);
  const wanted = KEYS.map((key) => String(trailers[key])).join('\t');
  const line = log.split('\n').find((candidate) => candidate.slice(candidate.indexOf('\t') + 1) === wanted);
  return line === undefined ? null : line.slice(0, line.indexOf('\t'));
}

async function describe(worktree: string, revision: string, git: Git): Promise<CommittedWork> {
  const flags = ['--format=%H', '--numstat', '-z', '--no-ext-diff', '--no-show-signature'];
  const [commit = '', ...numbers] = (await git.read(worktree, ['show', ...flags, revision])).split('\0');
  return { commit, ...totals(parseNumstat(numbers.join('\0'))) };
}
