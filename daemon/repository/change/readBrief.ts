import { basename } from 'node:path';
import { AGENT_DIRECTORIES, INSTRUCTION_NAMES } from '../../../schemas/backends/agentFiles.ts';
import { type ChangeBrief, MOST_BRIEF } from '../../../schemas/kinds/review/events.ts';
import { countCommits } from '../privateGit/history.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import type { fileLines } from './fileLines.ts';
import type { Change, FileSize } from './readChange.ts';
import { isOfUncommitted } from './uncommittedChange.ts';

/** The facts of a change that reviewers get before they read it, so that none has to ask git. */
export async function readBrief(
  privateGit: PrivateGit,
  { base, head }: { base: string; head: string },
  { sizes }: Change,
  known: ChangeBrief['known'],
): Promise<ChangeBrief> {
  const { commits, total } = await readCommits(privateGit, base, head, MOST_BRIEF.commits);
  const sum = (of: (size: FileSize) => number) => sizes.reduce((all, size) => all + of(size), 0);
  return {
    commits,
    files: sizes.slice(0, MOST_BRIEF.files),
    totals: {
      commits: total,
      files: sizes.length,
      added: sum((size) => size.added),
      removed: sum((size) => size.removed),
    },
    known,
    instructions: sizes
      .map(({ path }) => path)
      .filter(isInstruction)
      .slice(0, MOST_BRIEF.instructions),
  };
}

/** The changed files whose text at the new commit has one of the names. */
export async function filesNaming(
  { files }: Change,
  linesOf: ReturnType<typeof fileLines>,
  names: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const { path, isDeleted } of files) {
    const lines = isDeleted ? undefined : await linesOf(path);
    if (lines?.some((line) => names.some((name) => line.includes(name)))) found.push(path);
  }
  return found.slice(0, MOST_BRIEF.instructions);
}

/** Agents get these files as their own instructions. */
function isInstruction(path: string): boolean {
  return INSTRUCTION_NAMES.includes(basename(path)) || AGENT_DIRECTORIES.some((each) => path.startsWith(`${each}/`));
}

/** The most of each message. */
const MOST_CHARACTERS = 500;

/** The commits of a change, newest first, and how many there are. Without the commit that devflow made of uncommitted files. */
export async function readCommits(
  privateGit: PrivateGit,
  base: string,
  head: string,
  most: number,
): Promise<{ commits: ChangeBrief['commits']; total: number }> {
  const count = await countCommits(privateGit, base, head);
  const args = ['log', '-z', '--no-color', '--no-show-signature', `--max-count=${most + 1}`, '--format=%H %ae%n%B'];
  const { stdout } = await privateGit.objects([...args, `${base}..${head}`, '--'], { read: true });
  const read = stdout.split('\0').flatMap((entry) => {
    const [first = '', ...lines] = entry.split('\n');
    const [id = '', email = ''] = first.split(' ');
    const text = lines.join('\n').trim();
    return id === '' || isOfUncommitted(email, text) ? [] : [{ id, text: cut(text) }];
  });
  const own = count <= most && read.length < count ? 1 : 0;
  return { commits: read.slice(0, most), total: count - own };
}

/** Whole characters, because the database does not take half of a surrogate pair. */
function cut(text: string): string {
  const characters = [...text.toWellFormed().slice(0, 2 * MOST_CHARACTERS)];
  return characters.length <= MOST_CHARACTERS
    ? text.toWellFormed()
    : `${characters.slice(0, MOST_CHARACTERS).join('')}…`;
}
