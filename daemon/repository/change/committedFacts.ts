import { repositoryPathFault } from '../../../schemas/files/repositoryPath.ts';
import { latin1Of } from '../git/pathBytes.ts';
import type { WorktreePlace } from '../git/worktreePlace.ts';
import { openPrivateGit, type PrivateGit } from '../privateGit/privateGit.ts';
import { fileLines } from './fileLines.ts';

/** Each file takes two calls of git. */
const MOST_FILES = 200;
const MOST_COMMITS = 1_000;

export interface CommittedRange {
  from: string;
  to: string;
}

export interface CommittedFacts {
  /** The paths that the commit has, as files or directories. */
  existing: ReadonlySet<string>;
  /** The lines of the first 200 files. Binary and too large files are absent. */
  lines: ReadonlyMap<string, readonly string[]>;
  /** The first lines of the messages of the newest 1,000 commits, the oldest first. */
  subjects: string[];
  /** True if somebody else than devflow made one of the commits. */
  hasAgentCommits: boolean;
}

/** The paths of the commit at the end of a range, and the subjects of its commits. It reads nothing in the worktree. */
export async function committedFacts(
  worktree: WorktreePlace,
  range: CommittedRange,
  paths: { existing: readonly string[]; contents: readonly string[] },
): Promise<CommittedFacts> {
  const privateGit = await openPrivateGit(worktree);
  const linesOf = fileLines(privateGit, range.to);
  const lines = new Map<string, readonly string[]>();
  for (const path of paths.contents.slice(0, MOST_FILES)) {
    const found = await linesOf(path);
    if (found) lines.set(path, found);
  }
  const existing = await existingPaths(privateGit, range.to, paths.existing);
  return { existing, lines, ...(await messagesOf(privateGit, range)) };
}

/** git answers each path with one line. It ends with a fault for a path outside of the repository. */
async function existingPaths(privateGit: PrivateGit, commit: string, paths: readonly string[]): Promise<Set<string>> {
  const asked = paths.filter((path) => repositoryPathFault(path) === undefined);
  if (asked.length === 0) return new Set();
  const input = asked.map((path) => `${commit}:${latin1Of(path)}\n`).join('');
  const { stdout } = await privateGit.objects(['cat-file', '--batch-check'], { read: true, bytes: true, input });
  const answers = stdout.split('\n');
  return new Set(asked.filter((_, index) => /^[0-9a-f]{40,64} (?:blob|tree|commit) /.test(answers[index] ?? '')));
}

async function messagesOf(
  privateGit: PrivateGit,
  { from, to }: CommittedRange,
): Promise<Pick<CommittedFacts, 'subjects' | 'hasAgentCommits'>> {
  // The subject comes last, because it may have any characters.
  const format = '--format=%H%x09%(trailers:key=Devflow-Run,valueonly,unfold,separator=%x20)%x09%s';
  const args = ['log', `--max-count=${MOST_COMMITS}`, '--encoding=UTF-8', '--reverse', format, `${from}..${to}`, '--'];
  const { stdout } = await privateGit.objects(args, { read: true });
  const commits = stdout.split('\n').flatMap((line) => {
    const [, trailer, subject = ''] = /^[0-9a-f]{40,64}\t([^\t]*)\t?(.*)$/.exec(line) ?? [];
    return trailer === undefined ? [] : [{ isDevflow: trailer.trim() !== '', subject }];
  });
  return { subjects: commits.map(({ subject }) => subject), hasAgentCommits: commits.some((each) => !each.isDevflow) };
}
