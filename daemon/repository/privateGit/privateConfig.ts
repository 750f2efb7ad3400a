import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { runGit } from '../git/gitCommand.ts';

/**
 * The settings that devflow takes from the person's and the repository's configuration. They say how git stores
 * objects, how it writes files, and who commits. None runs a program. A setting that a later git adds is not taken
 * either.
 */
const TAKEN = new Set([
  ...['core.repositoryformatversion', 'core.sharedrepository', 'core.compression', 'core.loosecompression'],
  ...['core.fsync', 'core.fsyncmethod', 'core.bigfilethreshold', 'core.logallrefupdates'],
  ...['core.filemode', 'core.symlinks', 'core.ignorecase', 'core.precomposeunicode', 'core.autocrlf', 'core.eol'],
  ...['core.trustctime', 'core.checkstat', 'core.longpaths', 'core.sparsecheckout', 'core.sparsecheckoutcone'],
  ...['user.name', 'user.email', 'author.name', 'author.email', 'committer.name', 'committer.email'],
]);
/** It names a file to read, so it is copied only from the person's own configuration. */
const TAKEN_FROM_PERSON = new Set(['core.excludesfile']);
/** With these, git would fetch objects or read another configuration file. */
const NOT_TAKEN = new Set(['extensions.partialclone', 'extensions.worktreeconfig']);

type Setting = readonly [key: string, value: string];

/** A composed configuration and its source files. */
export interface PrivateConfig {
  text: string;
  hasIdentity: boolean;
  /** Paths whose change makes it stale. */
  sources: string[];
}

/** The minimum with which git can read a person's configuration for this repository. */
export const BARE_CONFIG = '[core]\n\trepositoryformatversion = 0\n\tbare = false\n';

/** `given`: names of filters to run, such as `lfs`; undefined for all filters of the person. */
export async function composePrivateConfig(common: string, gitDir: string, given?: string[]): Promise<PrivateConfig> {
  const repository = await readRepository(common);
  const { settings: person, sources } = await readPerson(gitDir);
  const filters = given ?? [...new Set(person.flatMap(([key]) => FILTER.exec(key)?.[1] ?? []))];
  if (repository.some(([key, value]) => key === 'extensions.refstorage' && value !== 'files')) {
    throw new DevflowError('git_failed', `The repository ${common} stores its refs as a reftable.`, {
      recoveryHint: 'devflow needs the files format. Run git refs migrate --ref-format=files.',
    });
  }
  const wanted: Setting[] = [
    ...person.filter(([key]) => TAKEN.has(key) || TAKEN_FROM_PERSON.has(key) || isFilter(key, filters)),
    ...repository.filter(([key]) => TAKEN.has(key) || isExtension(key) || /^remote\..*\.url$/s.test(key)),
    ['core.bare', 'false'],
    // A warning about line endings must not become a failure.
    ['core.safecrlf', 'false'],
    ...filters.map((name): Setting => [`devflow.filter`, name]),
  ];
  const last = new Map(wanted);
  return {
    text: wanted.map(writeSetting).join(''),
    hasIdentity: Boolean(last.get('user.name')?.trim() && last.get('user.email')?.trim()),
    sources: [join(common, 'config'), join(common, 'config.worktree'), ...sources],
  };
}

/** The names of filters that a private git directory's configuration was made with. */
export function filtersOf(text: string): string[] {
  return [...text.matchAll(/^\[devflow\]\n\tfilter = "([\w.-]+)"$/gm)].map((match) => match[1] as string);
}

function isExtension(key: string): boolean {
  return key.startsWith('extensions.') && !NOT_TAKEN.has(key);
}

const FILTER = /^filter\.([\w.-]+)\.(?:clean|smudge|process|required)$/s;

function isFilter(key: string, filters: readonly string[]): boolean {
  const name = FILTER.exec(key)?.[1];
  return name !== undefined && filters.includes(name);
}

/** Ignores includes of the repository's configuration, because an agent may have named a pipe. */
async function readRepository(common: string): Promise<Setting[]> {
  const own = await readFileSettings(join(common, 'config'));
  const perWorktree = own.some(([key, value]) => key === 'extensions.worktreeconfig' && value === 'true');
  return perWorktree ? [...own, ...(await readFileSettings(join(common, 'config.worktree')))] : own;
}

async function readFileSettings(file: string): Promise<Setting[]> {
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return [];
  const args = ['config', `--file=${file}`, '--no-includes', '--list', '-z'];
  const { stdout } = await runGit('/', args, { read: true });
  return stdout
    .split('\0')
    .filter((entry) => entry !== '')
    .map(readSetting);
}

/** Follows includes of the person's files. Conditional includes depend on the git directory. */
async function readPerson(gitDir: string): Promise<{ settings: Setting[]; sources: string[] }> {
  const settings: Setting[] = [];
  const sources = new Set<string>();
  for (const { scope, origin, setting } of await readScopes(gitDir)) {
    if (scope !== 'global' && scope !== 'system') continue;
    if (origin.startsWith('file:')) sources.add(origin.slice('file:'.length));
    settings.push(setting);
  }
  const { GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME, HOME = '/' } = process.env;
  const usual = GIT_CONFIG_GLOBAL
    ? [GIT_CONFIG_GLOBAL]
    : [join(HOME, '.gitconfig'), join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'config')];
  return { settings, sources: [...new Set([...usual, ...sources])] };
}

/** All settings that git has in this git directory. The last value of a name counts. */
export async function effectiveSettings(gitDir: string): Promise<Map<string, string>> {
  const found = await readScopes(gitDir);
  return new Map(found.flatMap(({ scope, setting }) => (scope === 'command' ? [] : [setting])));
}

/** The settings of the person and of the system alone, also for a git that reads no included files. */
export async function personSettings(gitDir: string): Promise<Map<string, string>> {
  return new Map((await readPerson(gitDir)).settings);
}

async function readScopes(gitDir: string): Promise<{ scope: string; origin: string; setting: Setting }[]> {
  const args = [`--git-dir=${gitDir}`, 'config', '--list', '--show-scope', '--show-origin', '-z'];
  const parts = (await runGit('/', args, { read: true })).stdout.split('\0');
  return Array.from({ length: Math.floor(parts.length / 3) }, (_, nth) => {
    const [scope, origin, entry] = parts.slice(nth * 3, nth * 3 + 3) as [string, string, string];
    return { scope, origin, setting: readSetting(entry) };
  });
}

/** A name without a value counts as true. */
function readSetting(entry: string): Setting {
  const at = entry.indexOf('\n');
  return at < 0 ? [entry, 'true'] : [entry.slice(0, at), entry.slice(at + 1)];
}

/** A setting as a section of a configuration file. */
export function writeSetting([key, value]: Setting): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const header = first === last ? section : `${section} "${key.slice(first + 1, last).replace(/[\\"]/g, '\\$&')}"`;
  const text = value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t');
  return `[${header}]\n\t${key.slice(last + 1)} = "${text}"\n`;
}
