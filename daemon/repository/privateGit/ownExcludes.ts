import { mkdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import { inTurn } from '../git/inTurn.ts';
import { keepLink, replace } from './keepFiles.ts';
import { keepBeside } from './keptBeside.ts';
import { effectiveSettings } from './privateConfig.ts';

/** devflow keeps these out of the commits of one worktree, beside the ignore files of person and repository. */
export type Excluded = ReadonlySet<string>;

interface GitDirectory {
  path: string;
  common: string;
  gitDir: string;
  entry: { directory: string };
}

/** Paths, each with a NUL after it: a name may have line breaks. */
const LIST = 'excluded';
const EXCLUDE = join('info', 'exclude');
/** A directory that an agent's git reads, also from inside a sandbox: that shows no file which replaces another one. */
export const FOR_AGENTS = 'for-agents';
const AGENT_EXCLUDE = join(FOR_AGENTS, 'exclude');
const MOST_BYTES = 16 * 1024 * 1024;

function bytesOf(path: string): string | undefined {
  const read = readRegular(path, MOST_BYTES, { follow: true });
  return read.ok ? read.bytes.toString('latin1') : undefined;
}

/** One character per byte. */
export function readExcluded(gitDir: string): Excluded {
  const list = bytesOf(join(gitDir, LIST)) ?? '';
  return new Set(list.split('\0').filter((path) => path !== ''));
}

/** True for such a path, and for one in such a directory. */
export function isExcluded(excluded: Excluded, path: string): boolean {
  if (excluded.size === 0) return false;
  const parts = path.split('/');
  return parts.some((_, at) => excluded.has(parts.slice(0, at + 1).join('/')));
}

/** Gives the private git directory its exclude file: the repository's, and what devflow excludes here. */
export async function keepExclude(common: string, gitDir: string): Promise<void> {
  const excluded = readExcluded(gitDir);
  const shared = join(common, EXCLUDE);
  if (excluded.size === 0) await keepLink(join(gitDir, EXCLUDE), shared);
  else await keepBytes(join(gitDir, EXCLUDE), joined(bytesOf(shared), excluded));
}

/** Excludes more paths, one character per byte. They need not exist, and tracked files stay tracked. */
export function addExcluded(privateGit: GitDirectory, paths: readonly string[]): Promise<void> {
  const { common, gitDir } = privateGit;
  return inTurn(`excluded ${gitDir}`, async () => {
    const excluded = new Set([...readExcluded(gitDir), ...paths]);
    if (excluded.size > 0) {
      const list = [...excluded].map((path) => `${path}\0`).join('');
      await keepBytes(join(gitDir, LIST), list);
      await keepBeside(privateGit.path, LIST, Buffer.from(list, 'latin1'));
    }
    await keepExclude(common, gitDir);
    await keepForAgents(privateGit, excluded);
  });
}

/**
 * The variables with which an agent's git excludes the same: git has no exclude file of one worktree. They hold for later
 * exclusions, too. `others` may have such variables already.
 */
export async function excludeVariables(
  privateGit: GitDirectory,
  others: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  await keepForAgents(privateGit, readExcluded(privateGit.gitDir));
  const nth = Number(others.GIT_CONFIG_COUNT ?? 0) || 0;
  return {
    GIT_CONFIG_COUNT: String(nth + 1),
    [`GIT_CONFIG_KEY_${nth}`]: 'core.excludesFile',
    [`GIT_CONFIG_VALUE_${nth}`]: join(privateGit.gitDir, AGENT_EXCLUDE),
  };
}

/** The file takes the place of the person's own, so it begins with that. */
async function keepForAgents({ gitDir, entry }: GitDirectory, excluded: Excluded): Promise<void> {
  const settings = await effectiveSettings(entry.directory).catch(() => new Map<string, string>());
  const { HOME = homedir(), XDG_CONFIG_HOME } = process.env;
  const named = settings.get('core.excludesfile')?.replace(/^~(?=\/)/, HOME);
  const own = named || join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'ignore');
  mkdirSync(join(gitDir, FOR_AGENTS), { recursive: true, mode: 0o700 });
  await keepBytes(join(gitDir, AGENT_EXCLUDE), joined(bytesOf(own), excluded));
}

function joined(before: string | undefined, excluded: Excluded): string {
  const lines = [...excluded].map((path) => `${patternOf(path)}\n`).join('');
  return before === undefined || before === '' ? lines : `${before.replace(/\n*$/, '\n')}${lines}`;
}

/** A pattern that matches only this path. Line ends cannot be written, so any character may stand there. */
function patternOf(path: string): string {
  return `/${path
    .replaceAll(/[\\*?[]/g, '\\$&')
    .replaceAll(/[\r\n]/g, '?')
    .replace(/ $/, '\\ ')}`;
}

async function keepBytes(path: string, bytes: string): Promise<void> {
  const read = readRegular(path, MOST_BYTES);
  if (read.ok && read.bytes.toString('latin1') === bytes) return;
  await replace(path, (fresh) => writeFile(fresh, Buffer.from(bytes, 'latin1')));
}
