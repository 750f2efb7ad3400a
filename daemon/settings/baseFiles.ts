import type { Problem } from '../../schemas/definitions/yamlFile.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { SETTINGS_FILE } from '../../schemas/names.ts';
import { parseSettings, type ReadSettings, textOfSettings } from '../../schemas/repository/parseSettings.ts';
import { type CommitEntry, listCommit, readBlobs } from '../repository/git/commitBlobs.ts';
import type { PrivateGit } from '../repository/privateGit/privateGit.ts';
import { INCLUDE_FILE } from './consent/consentParts.ts';
import { MOST_LOCK_BYTES } from './guess/clones.ts';

/** The largest settings file. */
export const MOST_BYTES = 256 * 1024;
const MOST_LINES = 200;

/** The settings of the repository, as a commit has them. */
export interface BaseFiles {
  /** Null if the commit has no such file. */
  settings: ReadSettings | null;
  /** The bytes of the file; null if there is none that devflow reads. */
  text: string | null;
  /** Patterns of ignored files that worktrees get. */
  include: string[];
  problems: Problem[];
}

/** Reads them from the objects of a commit, so no link of a checkout is followed. */
export async function readBaseFiles({ objects }: PrivateGit, commit: string): Promise<BaseFiles> {
  const names = [SETTINGS_FILE, INCLUDE_FILE];
  const { entries } = await listCommit(objects, commit, names);
  const files = names.filter((name) => entries.get(name)?.isFile);
  const { blobs } = await readBlobs(objects, entries, files, { mostBytes: MOST_BYTES, mostTotal: 2 * MOST_BYTES });
  const problems: Problem[] = [];
  const [text, include] = names.map((file) => {
    const [entry, bytes] = [entries.get(file), blobs.get(file)];
    if (entry === undefined) return null;
    const read = bytes ? textOfSettings(bytes) : { ok: false as const, fault: whyUnread(entry) };
    if (read.ok) return read.text;
    problems.push({ file, path: '', message: read.fault });
    return null;
  }) as [string | null, string | null];
  const parsed = text === null ? undefined : parseSettings(SETTINGS_FILE, text);
  if (parsed?.ok === false) problems.push(...parsed.problems);
  const settings = parsed?.ok ? parsed : null;
  return { settings, text, include: include === null ? [] : patternsOf(include), problems };
}

/** The hash of a file of a commit; undefined if the commit has no such regular file. */
export async function hashInCommit({ objects }: PrivateGit, commit: string, path: string): Promise<string | undefined> {
  const { entries } = await listCommit(objects, commit, [path]);
  const files = entries.get(path)?.isFile ? [path] : [];
  const { blobs } = await readBlobs(objects, entries, files, { mostBytes: MOST_LOCK_BYTES });
  const bytes = blobs.get(path);
  return bytes && sha256hex(bytes);
}

function whyUnread({ isFile, isLink }: CommitEntry): string {
  if (isFile) return `the file is larger than ${MOST_BYTES} bytes`;
  return isLink ? 'the file is a link' : 'this is not a file';
}

function patternsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).slice(0, MOST_LINES);
}
