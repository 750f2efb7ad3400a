import { endOfQuoted, unquotePath } from './unquotePath.ts';

/** A line of a patch, and the lines of the file that it shows. */
export interface PatchRow {
  /** `note`: git's own words within a hunk, such as those about a missing newline. */
  kind: 'head' | 'hunk' | 'context' | 'added' | 'removed' | 'note';
  /** As git wrote it, with its sign. */
  text: string;
  /** The index of its file. */
  file: number;
  /** Null where the old file has no such line. */
  oldLine: number | null;
  newLine: number | null;
}

export interface PatchFile {
  /** Its path after the change; before it, if the file was deleted. */
  path: string;
  /** Its path before the change, if that was another one. */
  from: string | null;
  /** Why nobody can point at its lines: git shows none, or they are no lines of a text. Null for a text. */
  noLines: 'binary' | 'link' | 'submodule' | 'empty' | null;
  isDeleted: boolean;
  /** The index of its first row. */
  row: number;
}

export interface Patch {
  files: PatchFile[];
  rows: PatchRow[];
}

const FILE = 'diff --git ';
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
const LINK = '120000';
const SUBMODULE = '160000';

/**
 * Reads a patch that `git diff` wrote. The counts of each `@@` say which lines belong to it. So no text of a file can pose as
 * a header. A patch that is cut off anywhere is read up to there.
 */
export function parsePatch(patch: string): Patch {
  const files: PatchFile[] = [];
  const rows: PatchRow[] = [];
  let [oldLine, newLine, oldLeft, newLeft] = [0, 0, 0, 0];
  const push = (kind: PatchRow['kind'], text: string, lines: Partial<PatchRow> = {}) =>
    rows.push({ kind, text, file: files.length - 1, oldLine: null, newLine: null, ...lines });

  for (const text of linesOf(patch)) {
    const sign = text.charAt(0);
    if (sign === '\\' && rows.at(-1)?.kind !== 'head') push('note', text);
    else if (sign === '-' && oldLeft > 0) {
      oldLeft -= 1;
      push('removed', text, { oldLine });
      oldLine += 1;
    } else if (sign === '+' && newLeft > 0) {
      newLeft -= 1;
      push('added', text, { newLine });
      newLine += 1;
    } else if (sign !== '+' && sign !== '-' && oldLeft > 0 && newLeft > 0 && !text.startsWith(FILE)) {
      oldLeft -= 1;
      newLeft -= 1;
      push('context', text, { oldLine, newLine });
      oldLine += 1;
      newLine += 1;
    } else {
      const [, oldStart, oldCount = 1, newStart, newCount = 1] = HUNK.exec(text) ?? [];
      if (text.startsWith(FILE)) {
        // The patch of the file before may be cut off.
        [oldLeft, newLeft] = [0, 0];
        files.push({ ...pathOf(text), from: null, noLines: 'empty', isDeleted: false, row: rows.length });
        push('head', text);
      } else if (oldStart === undefined || files.length === 0) {
        push('head', text);
        readHead(files.at(-1), text);
      } else {
        [oldLine, newLine, oldLeft, newLeft] = [oldStart, newStart, oldCount, newCount].map(Number) as Counts;
        push('hunk', text);
        const file = files.at(-1);
        if (file?.noLines === 'empty') file.noLines = null;
      }
    }
  }
  return { files, rows };
}

type Counts = [number, number, number, number];

function linesOf(patch: string): string[] {
  return patch === '' ? [] : patch.replace(/\n$/, '').split('\n');
}

/** Both paths are the same here. Where they are not, later lines name them. */
function pathOf(text: string): { path: string } {
  const both = text.slice(FILE.length);
  const first = both.startsWith('"') ? both.slice(0, endOfQuoted(both)) : both.slice(0, (both.length - 1) / 2);
  return { path: unquotePath(first).slice('a/'.length) };
}

function readHead(file: PatchFile | undefined, text: string): void {
  if (!file) return;
  const after = (words: string) => (text.startsWith(words) ? text.slice(words.length) : undefined);
  const to = after('rename to ') ?? after('copy to ');
  if (to !== undefined) file.path = unquotePath(to);
  const from = after('rename from ');
  if (from !== undefined) file.from = unquotePath(from);
  // git ends a path with a space in it with a tab.
  const named = (after('--- ') ?? after('+++ '))?.replace(/\t$/, '');
  if (named !== undefined && named !== '/dev/null') {
    const path = unquotePath(named).slice('a/'.length);
    if (file.from === null) file.path = path;
  }
  if (after('deleted file mode ') !== undefined) file.isDeleted = true;
  if (after('Binary files ') !== undefined || text === 'GIT binary patch') file.noLines = 'binary';
  const mode = after('new file mode ') ?? after('deleted file mode ') ?? /^index \S+ (\d{6})$/.exec(text)?.[1];
  if (mode === LINK) file.noLines = 'link';
  if (mode === SUBMODULE) file.noLines = 'submodule';
}
