/** The content of a repository when it was read. Links are listed and never followed. */
export interface TreeSnapshot {
  /** Milliseconds since 1970. */
  now: number;
  /** By path, relative to the repository, with `/`. */
  entries: ReadonlyMap<string, Entry>;
}

export interface Entry {
  path: string;
  kind: 'file' | 'dir' | 'link' | 'other';
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  /** If it was asked for, and could be read. */
  text?: string;
  /** Why the text is not there although it was asked for. */
  fault?: string;
}

/** A file as a check sees it. */
export type FileText = { ok: true; text: string } | { ok: false; isMissing: boolean; reason: string };

/** The text of a file. A link, a directory and a file that is too large cannot be read. */
export function textOf({ entries }: TreeSnapshot, path: string): FileText {
  const entry = entries.get(path);
  if (!entry) return { ok: false, isMissing: true, reason: 'the file is not there' };
  if (entry.kind === 'file' && entry.text !== undefined) return { ok: true, text: entry.text };
  const reason = { link: 'it is a symbolic link', dir: 'it is a directory', other: 'it is no regular file', file: '' };
  return { ok: false, isMissing: false, reason: entry.fault ?? (reason[entry.kind] || 'it was not read') };
}

export type Child = Entry & { name: string };

/** The entries of each directory, sorted. A tree never changes, so they are collected once. */
const CHILDREN = new WeakMap<TreeSnapshot['entries'], ReadonlyMap<string, readonly Child[]>>();

/** The entries directly in a directory, by name. */
export function childrenOf({ entries }: TreeSnapshot, dir: string): readonly Child[] {
  const known = CHILDREN.get(entries) ?? collectChildren(entries);
  CHILDREN.set(entries, known);
  return known.get(dir) ?? [];
}

function collectChildren(entries: TreeSnapshot['entries']): Map<string, Child[]> {
  const found = new Map<string, Child[]>();
  for (const entry of entries.values()) {
    const slash = entry.path.lastIndexOf('/');
    const dir = entry.path.slice(0, Math.max(slash, 0));
    const siblings = found.get(dir) ?? [];
    siblings.push({ ...entry, name: entry.path.slice(slash + 1) });
    found.set(dir, siblings);
  }
  for (const siblings of found.values()) siblings.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return found;
}

/** A part of a repository that a contract reads. */
export interface Wanted {
  /** Relative to the repository. */
  path: string;
  /** The number of levels below a directory. */
  depth?: number;
  /** True if the text of a file is wanted. Absent: of every file. */
  text?(path: string): boolean;
  /** Which directories below it are read and watched. Absent: each, down to the depth. */
  enters?(path: string): boolean;
  /**
   * The first entry below it that this accepts says all, so that the size of a directory does not matter. No other entry and
   * no text is read, and only the directory itself is watched.
   */
  isEnough?(entry: Entry): boolean;
}
