import { type ChangedFile, MOST_CHANGED_FILES } from '../../../schemas/place/place.ts';
import { textOf } from '../git/pathBytes.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';

/** A file with more hunks counts as changed from its first to its last one. */
const MOST_HUNKS = 200;

const PLAIN = ['--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--ignore-submodules=none'];

/** The difference between two commits. */
export interface Change {
  /** With renames and the changed lines. A binary file and a link have no hunks. */
  files: ChangedFile[];
  /** All files, also those for which `files` has no room. */
  sizes: FileSize[];
  /** Added and removed lines of all files. A replaced line counts once. */
  changedLines: number;
}

export interface FileSize {
  /** As git's: `A`, `D`, `M`, `R`, `T`. */
  status: string;
  path: string;
  added: number;
  removed: number;
}

/** Reads what differs between two commits, from the commits alone. */
export async function readChange(privateGit: PrivateGit, from: string, to: string): Promise<Change> {
  if (from === to) return { files: [], sizes: [], changedLines: 0 };
  const range = [from, to, '--'];
  const read = { read: true, bytes: true };
  const raw = await privateGit.objects(['diff-tree', '-r', '-z', '--raw', ...PLAIN, ...range], read);
  const sections: Hunks[] = [];
  const onLine = (line: string) => readPatchLine(line, sections);
  await privateGit.objects(['diff-tree', '-r', '--patch', '-U0', ...PLAIN, ...range], { ...read, onLine });
  const files: ChangedFile[] = [];
  const sizes: FileSize[] = [];
  let changedLines = 0;
  let section = 0;
  for (const { status, path, from: old, isLink } of rawEntries(raw.stdout)) {
    // A file that became a link, or the reverse, is shown as removed and then as new.
    if (status === 'T') section += 1;
    // An agent that reads a link gets the file that it points to, so nobody can quote its line.
    const hunks = isLink ? [] : (sections[section] ?? []);
    section += 1;
    const name = textOf(path);
    changedLines += sum(hunks, ([, before, , after]) => Math.max(before, after));
    sizes.push({ status, path: name, added: sum(hunks, (hunk) => hunk[3]), removed: sum(hunks, (hunk) => hunk[1]) });
    if (files.length === MOST_CHANGED_FILES) continue;
    const renamed = old === null ? null : textOf(old);
    files.push({ path: name, from: renamed, isDeleted: status === 'D', hunks: joined(hunks) });
  }
  return { files, sizes, changedLines };
}

function sum(hunks: Hunks, of: (hunk: Hunks[number]) => number): number {
  return hunks.reduce((all, hunk) => all + of(hunk), 0);
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

/** The lines of a patch without context begin with `+`, `-` or `\`. So no text of a file looks like a header. */
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
