import { closeSync, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import type { Entry, TreeSnapshot, Wanted } from '../../schemas/contracts/report/tree.ts';
import { rawPath } from '../../schemas/files/entries.ts';
import { inDirectory, visitChild } from '../../schemas/files/insideRoot.ts';
import { type Opened, openRegular, readOpened } from '../../schemas/files/openRegular.ts';

/** A larger file is not read. */
export const LARGEST_BYTES = 16 * 1024 * 1024;
/** Files that exceed this together are not read. */
const MOST_BYTES = 4 * LARGEST_BYTES;
/** Further names of a directory are left out. */
const MOST_ENTRIES = 10_000;

/** Reads what contracts want of a repository. It follows no link below `repo`. Files that it leaves out have a fault. */
export function readTree(repo: string, wanted: readonly Wanted[], now: number): TreeSnapshot {
  const entries = new Map<string, Entry>();
  let bytes = 0;
  const add = (path: string, at: ListedName, depth: number, wish: Wish): void => {
    const place = join(at.directory, at.name);
    const before = entries.get(path);
    const isToRead = () => before?.text === undefined && wish.text(path);
    // The facts of an opened file spare a call for most files.
    const opened = at.isFile && isToRead() ? openRegular(place) : undefined;
    const facts = opened?.ok ? opened.facts : lstatSync(rawPath(at.directory, at.name), { throwIfNoEntry: false });
    if (!facts) return;
    const entry: Entry = { ...before, ...entryOf(path, facts) };
    entries.set(path, entry);
    if (entry.kind === 'file' && isToRead()) {
      const file = opened ?? openRegular(place);
      bytes += Math.min(facts.size, LARGEST_BYTES);
      entries.set(path, { ...entry, ...(bytes > MOST_BYTES ? leave(file) : read(file)) });
    }
    if (entry.kind !== 'dir' || depth === 0 || !wish.enters(path)) return;
    const visited = visitChild(repo, path, at.directory, at.name, (directory) => {
      const { enters, isEnough } = wish;
      if (isEnough) {
        const first = findFirst({ repo, path, directory, depth, enters, isEnough, left: { names: MOST_ENTRIES } });
        for (const each of first) entries.set(each.path, { ...entries.get(each.path), ...each });
        return;
      }
      const found = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
      for (const each of found.slice(0, MOST_ENTRIES))
        add(`${path}/${each.name}`, { directory, name: each.name, isFile: each.isFile() }, depth - 1, wish);
      if (found.length <= MOST_ENTRIES) return;
      const fault = `it has ${found.length} entries, and only the first ${MOST_ENTRIES} were read`;
      entries.set(path, { ...entry, fault });
    });
    if (!visited.ok && !visited.missing) entries.set(path, { ...entry, fault: visited.fault });
  };
  for (const { path, depth = 0, text = () => true, enters = () => true, isEnough } of wanted) {
    const wish = { text, enters: (each: string) => each === path || enters(each), isEnough };
    inDirectory(repo, path, null, (directory, name) => {
      add(path, { directory, name, isFile: false }, depth, wish);
      return { ok: true };
    });
  }
  return { now, entries };
}

type Wish = Pick<Required<Wanted>, 'text' | 'enters'> & Pick<Wanted, 'isEnough'>;

/** A search in the directory `path`; `directory` is a name that keeps pointing to it. */
interface Search extends Required<Pick<Wanted, 'path' | 'depth' | 'enters' | 'isEnough'>> {
  repo: string;
  directory: string;
  /** The number of names that it may still look at, in all directories together. */
  left: { names: number };
}

/** The first entry that is enough, after the directories that lead to it. Empty: so many names have none. */
function findFirst(search: Search): Entry[] {
  const { repo, path, directory, depth, enters, isEnough, left } = search;
  const below: { name: string; entry: Entry }[] = [];
  const opened = opendirSync(directory);
  try {
    for (let each = opened.readSync(); each && left.names > 0; each = opened.readSync()) {
      left.names -= 1;
      const facts = lstatSync(rawPath(directory, each.name), { throwIfNoEntry: false });
      const entry = facts && entryOf(`${path}/${each.name}`, facts);
      if (entry && isEnough(entry)) return [entry];
      if (entry?.kind === 'dir' && depth > 1 && enters(entry.path)) below.push({ name: each.name, entry });
    }
  } finally {
    opened.closeSync();
  }
  for (const { name, entry } of below) {
    let found: Entry[] = [];
    visitChild(repo, entry.path, directory, name, (inner) => {
      found = findFirst({ ...search, path: entry.path, directory: inner, depth: depth - 1 });
    });
    if (found.length > 0) return [entry, ...found];
  }
  return [];
}

/** A name in a directory, whose own name keeps pointing to it. */
interface ListedName {
  directory: string;
  name: string;
  /** True if it was a regular file when the directory was listed. False: unknown. */
  isFile: boolean;
}

const TOO_MUCH = `the files before it have ${MOST_BYTES / 1024 / 1024} MiB together, and devflow reads no more`;

function entryOf(path: string, facts: Stats): Entry {
  return { path, kind: kindOf(facts), size: facts.size, mtime: facts.mtimeMs };
}

function kindOf(facts: Stats): Entry['kind'] {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'dir';
  return facts.isSymbolicLink() ? 'link' : 'other';
}

function read(opened: Opened): Pick<Entry, 'text' | 'fault'> {
  const file = readOpened(opened, LARGEST_BYTES);
  return file.ok ? { text: file.bytes.toString('utf8') } : { fault: file.fault };
}

function leave(opened: Opened): Pick<Entry, 'fault'> {
  if (opened.ok) closeSync(opened.fd);
  return { fault: TOO_MUCH };
}
