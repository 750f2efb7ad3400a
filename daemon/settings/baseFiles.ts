import type { Problem } from '../../schemas/definitions/yamlFile.ts';
import { sha256hex } from '../../schemas/hash.ts';
import { parseSettings, type ReadSettings, textOfSettings } from '../../schemas/repository/parseSettings.ts';
import { SETTINGS_FILE } from '../../schemas/names.ts';
import { textOf } from '../repository/git/pathBytes.ts';
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
export async function readBaseFiles(privateGit: PrivateGit, commit: string): Promise<BaseFiles> {
  const entries = await entriesOf(privateGit, commit, [SETTINGS_FILE, INCLUDE_FILE]);
  const settings = await readEntry(privateGit, SETTINGS_FILE, entries.get(SETTINGS_FILE));
  const include = await readEntry(privateGit, INCLUDE_FILE, entries.get(INCLUDE_FILE));
  const problems = [settings, include].flatMap((read) => (typeof read === 'object' && read !== null ? [read] : []));
  const text = typeof settings === 'string' ? settings : null;
  const parsed = text === null ? undefined : parseSettings(SETTINGS_FILE, text);
  if (parsed?.ok === false) problems.push(...parsed.problems);
  return {
    settings: parsed?.ok ? parsed : null,
    text,
    include: typeof include === 'string' ? patternsOf(include) : [],
    problems,
  };
}

/** The hash of a file of a commit; undefined if the commit has no such regular file. */
export async function hashInCommit(privateGit: PrivateGit, commit: string, path: string): Promise<string | undefined> {
  const entry = (await entriesOf(privateGit, commit, [path])).get(path);
  if (entry === undefined || !entry.mode.startsWith('100') || entry.size > MOST_LOCK_BYTES) return undefined;
  const bytes = await bytesOf(privateGit, entry.id, entry.size);
  return sha256hex(Buffer.from(bytes, 'latin1'));
}

interface Entry {
  mode: string;
  id: string;
  size: number;
}

async function entriesOf(
  privateGit: PrivateGit,
  commit: string,
  paths: readonly string[],
): Promise<Map<string, Entry>> {
  const args = ['ls-tree', '-z', '-l', '--full-tree', commit, '--', ...paths];
  const { stdout } = await privateGit.objects(args, { read: true, bytes: true });
  const found = new Map<string, Entry>();
  for (const line of stdout.split('\0')) {
    const [, mode, id, size, path] = /^(\d+) \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
    if (mode && id && path) found.set(textOf(path), { mode, id, size: size === '-' ? 0 : Number(size) });
  }
  return found;
}

/** The text, null for no file, or what is wrong with it. */
async function readEntry(
  privateGit: PrivateGit,
  file: string,
  entry: Entry | undefined,
): Promise<string | null | Problem> {
  if (entry === undefined) return null;
  const fault = (message: string): Problem => ({ file, path: '', message });
  if (entry.mode === '120000') return fault('the file is a link');
  if (!entry.mode.startsWith('100')) return fault('this is not a file');
  if (entry.size > MOST_BYTES) return fault(`the file is larger than ${MOST_BYTES} bytes`);
  const read = textOfSettings(Buffer.from(await bytesOf(privateGit, entry.id, entry.size), 'latin1'));
  return read.ok ? read.text : fault(read.fault);
}

/** One character per byte. */
async function bytesOf(privateGit: PrivateGit, id: string, size: number): Promise<string> {
  const input = `${id}\n`;
  const { stdout } = await privateGit.objects(['cat-file', '--batch'], { read: true, bytes: true, input });
  const header = stdout.indexOf('\n') + 1;
  return stdout.slice(header, header + size);
}

function patternsOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('#')).slice(0, MOST_LINES);
}
