/** One file that `git status` lists. */
export interface StatusEntry {
  /** One character per byte. A slash at the end marks a directory that git did not enter. */
  path: string;
  untracked: boolean;
  /** The index differs from the commit. */
  staged: boolean;
  /** The file differs from the index. */
  changed: boolean;
}

/** The arguments whose output `parseStatus` reads. */
export function statusArgs(untracked: 'all' | 'normal' | 'no', ...more: string[]): string[] {
  const format = ['--porcelain=v2', '-z', '--no-renames', '--ignore-submodules=all'];
  return ['status', ...format, `--untracked-files=${untracked}`, ...more];
}

const OID = '# branch.oid ';

/** Reads porcelain version 2. `oid` is the commit of the branch, with `--branch` and if there is one. */
export function parseStatus(text: string): { oid: string | null; entries: StatusEntry[] } {
  let oid: string | null = null;
  const entries: StatusEntry[] = [];
  for (const line of text.split('\0')) {
    if (line.startsWith(OID)) {
      const found = line.slice(OID.length);
      oid = found === '(initial)' ? null : found;
    } else if (line.startsWith('? ')) {
      entries.push({ path: line.slice(2), untracked: true, staged: false, changed: true });
    } else if (/^[1u] /.test(line)) {
      // A changed file has 7 fields before its path, an unmerged one 9.
      const path = afterFields(line, line.startsWith('1') ? 8 : 10);
      entries.push({ path, untracked: false, staged: line[2] !== '.', changed: line[3] !== '.' });
    }
  }
  return { oid, entries };
}

function afterFields(line: string, fields: number): string {
  let at = 0;
  for (let n = 0; n < fields; n++) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
