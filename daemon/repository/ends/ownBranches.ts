import { readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { orElse } from '../../../schemas/orElse.ts';
import { createGit, OWN_BRANCHES } from '../git/git.ts';
import { commonDirectory, exists, readText } from '../git/repositoryFiles.ts';

/** What a repository has of devflow's runs. */
export interface OwnRefs {
  /** git's common directory. */
  common: string;
  /** The commit of each of devflow's branches, by name. */
  branches: ReadonlyMap<string, string>;
  /** The worktrees that git has an entry of. */
  worktrees: ReadonlySet<string>;
  /** Where each branch is checked out, or its rebase or bisect is under way. */
  users: ReadonlyMap<string, readonly string[]>;
}

/** Undefined if the repository is gone. Throws git_failed. */
export async function readOwnRefs(repoPath: string): Promise<OwnRefs | undefined> {
  if (!(await exists(join(repoPath, '.git')))) return undefined;
  const common = await commonDirectory(repoPath);
  const refs = await listRefs(common, [`refs/heads/${OWN_BRANCHES}/`]);
  // The deletion of a symbolic ref could delete the branch that it names.
  const branches = refs.filter(({ symref }) => symref === '').map(({ name, oid }) => [name, oid] as const);
  const root = join(common, 'worktrees');
  const entries = orElse(() => readdirSync(root), []).map((id) => join(root, id));
  const worktrees = new Set<string>();
  const users = new Map<string, string[]>();
  for (const gitDir of [common, ...entries]) {
    const place = gitDir === common ? repoPath : await placeOf(gitDir);
    if (place === undefined) continue;
    if (gitDir !== common) worktrees.add(place);
    for (const name of await branchesUsedIn(gitDir)) users.set(name, [...(users.get(name) ?? []), place]);
  }
  return { common, branches: new Map(branches), worktrees, users };
}

async function placeOf(entry: string): Promise<string | undefined> {
  const text = await readText(join(entry, 'gitdir'));
  return text === undefined ? undefined : dirname(resolve(entry, text));
}

const PREFIX = 'refs/heads/';
/** Files that name branches which git will come back to. */
const USES = ['rebase-merge/head-name', 'rebase-merge/update-refs', 'rebase-apply/head-name', 'BISECT_START'];

async function branchesUsedIn(gitDir: string): Promise<Set<string>> {
  const texts = await Promise.all(USES.map((name) => readText(join(gitDir, name))));
  const lines = [await readHead(gitDir), ...texts.flatMap((text) => text?.split('\n'))];
  return new Set(
    lines.flatMap((line) => {
      const name = line?.trim() ?? '';
      // A bisect writes the short name.
      return name === '' ? [] : name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
    }),
  );
}

/** What the file of a repository says that keeps its refs elsewhere. */
const ELSEWHERE = `${PREFIX}.invalid`;

/** The ref that HEAD names. Only in most repositories is it a file with that ref, so git is asked about others. */
async function readHead(gitDir: string): Promise<string> {
  const ref = /^ref: (.+)$/.exec((await readText(join(gitDir, 'HEAD'))) ?? '')?.[1]?.trim();
  if (ref !== undefined && ref !== ELSEWHERE) return ref;
  return createGit().read(gitDir, ['symbolic-ref', '--quiet', 'HEAD'], { ...here(gitDir), accept: [0, 1, 128] });
}

/** A branch of the person that has a commit. */
export interface Holder {
  name: string;
  oid: string;
}

/** A branch of the person that has the commit; undefined if only devflow's branches have it. Throws git_failed. */
export async function findHolder(common: string, commit: string): Promise<Holder | undefined> {
  const refs = await listRefs(common, [`--contains=${commit}`, PREFIX]);
  return refs.find(({ name, symref }) => symref === '' && !name.startsWith(`${OWN_BRANCHES}/`));
}

/** True if all these branches are at these commits. Throws git_failed. */
export async function isAt(common: string, ...branches: readonly Holder[]): Promise<boolean> {
  const refs = await listRefs(
    common,
    branches.map(({ name }) => `${PREFIX}${name}`),
  );
  return branches.every(({ name, oid }) => refs.some((ref) => ref.name === name && ref.oid === oid));
}

/** True if a later commit of a person's branch names the run, as a squash does. An agent can write that line, too. */
export async function isNamedElsewhere(common: string, runId: string, commit: string): Promise<boolean> {
  const search = ['log', '-1', '--format=%H', `--grep=^Devflow-Run: ${runId}$`];
  const range = [`--exclude=${OWN_BRANCHES}/*`, '--branches', `^${commit}`, '--'];
  const found = await createGit().read(common, [...search, ...range], { ...here(common), accept: [0, 128] });
  return found !== '';
}

async function listRefs(common: string, which: readonly string[]): Promise<(Holder & { symref: string })[]> {
  const format = '--format=%(refname:lstrip=2)%00%(objectname)%00%(symref)';
  const text = await createGit().read(common, ['for-each-ref', format, ...which], { ...here(common), bytes: true });
  return text.split('\n').flatMap((line) => {
    const [name, oid, symref] = line.split('\0');
    return name && oid ? [{ name, oid, symref: symref ?? '' }] : [];
  });
}

function here(gitDir: string) {
  return { gitDir, settings: ['core.bare=true'], timeoutMs: 30_000 };
}
