import { type ChangedFile, MOST_CHANGED_FILES } from '../../../schemas/events/review.ts';
import { textOf } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A file with more hunks counts as changed from its first to its last one. */
const MOST_HUNKS = 200;

const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none'];

/** What differs between two commits: the files, with renames, and the changed lines. A binary file and a link have no hunks. */
export async function readChange(privateGit: PrivateGit, from: string, to: string): Promise<ChangedFile[]> {
  if (from === to) return [];
  const range = [from, to, '--'];
  const read = { read: true, bytes: true };
  const raw = await privateGit.objects(['diff-tree', '-r', '-z', '--raw', ...PLAIN, ...range], read);
  const sections: Hunks[] = [];
  const onLine = (line: string) => readPatchLine(line, sections);
  await privateGit.objects(['diff-tree', '-r', '--patch', '-U0', ...PLAIN, ...range], { ...read, onLine });
  const files: ChangedFile[] = [];
  let section = 0;
  for (const { status, path, from: old, isLink } of rawEntries(raw.stdout)) {
    // A file that became a link, or the reverse, is shown as removed and then as new.
    if (status === 'T') section += 1;
    // An agent that reads a link gets the file that it points to, so nobody can quote its line.
    const hunks = isLink ? [] : joined(sections[section] ?? []);
    section += 1;
    files.push({ path: textOf(path), from: old === null ? null : textOf(old), isDeleted: status === 'D', hunks });
  }
  return files.slice(0, MOST_CHANGED_FILES);
}

type Hunks = ChangedFile['hunks'];

interface RawEntry {
  status: string;
  path: string;
  from: string | null;
  isLink: boolean;
}

const LINK = '120000';

function rawEntries(output: string): RawEntry[] {
  const parts = output.split('\0');
  const entries: RawEntry[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [, mode, , , letters = 'M'] = parts[at]?.split(' ') ?? [];
    const status = letters.charAt(0);
    const [first = '', second = ''] = parts.slice(at + 1, at + 3);
    const isRenamed = status === 'R' || status === 'C';
    entries.push({
      status,
      path: isRenamed ? second : first,
      from: status === 'R' ? first : null,
      isLink: mode === LINK,
    });
    if (isRenamed) at += 1;
  }
  return entries;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

/** The lines of a patch without context begin with `+`, `-` or `\`, so no text of a file looks like a header. */
function readPatchLine(line: string, sections: Hunks[]): void {
  if (line.startsWith('diff --git ')) sections.push([]);
  const match = line.startsWith('@@ ') ? HUNK.exec(line) : null;
  if (!match) return;
  const [, oldStart, oldLines = 1, newStart, newLines = 1] = match;
  sections.at(-1)?.push([Number(oldStart), Number(oldLines), Number(newStart), Number(newLines)]);
}

function joined(hunks: Hunks): Hunks {
  const [first, last] = [hunks[0], hunks.at(-1)];
  if (hunks.length <= MOST_HUNKS || !first || !last) return hunks;
  return [[first[0], last[0] + last[1] - first[0], first[2], last[2] + last[3] - first[2]]];
}
