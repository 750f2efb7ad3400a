import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { excludeVariables } from '../../../daemon/repository/privateGit/ownExcludes.ts';
import { openPrivateGit, type PrivateGit } from '../../../daemon/repository/privateGit/privateGit.ts';
import { addWorktree } from '../../../daemon/repository/worktree/addWorktree.ts';
import { type PlaceFiles, placeFiles } from '../../../daemon/setup/placeFiles.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import { given } from '../repository/merge/given.ts';

export const NO_SETUP: WorktreeSetup = {
  isGuess: false,
  copy: [],
  clone: [],
  link: [],
  commands: [],
  again: [],
  teardown: [],
  ports: [],
  env: {},
};

/** A checkout with ignored files, and a worktree of it. */
export async function givenSetup(files: Record<string, string> = {}, tracked: Record<string, string> = {}) {
  const at = given({ '.gitignore': '.env*\nnode_modules/\n.cache/\nconfig/*.local.json\n', ...tracked });
  at.repo.write(files);
  const worktree = await at.open('main');
  return { ...at, ...(await inWorktree(at.repo.dir, worktree)) };
}

export async function inWorktree(checkout: string, place: Parameters<typeof openPrivateGit>[0]) {
  const privateGit = await openPrivateGit(place);
  const path = (name: string) => join(privateGit.path, name);
  return {
    checkout,
    privateGit,
    path,
    setUp: (lists: Partial<PlaceFiles['setup']>, options: Partial<PlaceFiles> = {}) =>
      placeFiles({ privateGit, setup: { ...NO_SETUP, ...lists }, ...options }),
    text: (name: string) => readFileSync(path(name), 'utf8'),
    isThere: (name: string) => existsSync(path(name)),
  };
}

/** A second worktree of the same checkout. */
export async function another(at: Awaited<ReturnType<typeof givenSetup>>, id: string) {
  const place = at.place(id);
  await addWorktree({ ...place, startCommit: at.base });
  return inWorktree(at.repo.dir, place);
}

/** The environment of an agent's git. */
export async function agentEnv(privateGit: PrivateGit): Promise<Record<string, string | undefined>> {
  return { ...process.env, ...(await excludeVariables(privateGit)) };
}

/** Everything below a directory: modes, times and contents, by path. */
export function treeOf(root: string): Record<string, string> {
  const entries = readdirSync(root, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { mode, mtimeMs } = lstatSync(path);
      const content = entry.isSymbolicLink() ? readlinkSync(path) : entry.isFile() ? readFileSync(path, 'utf8') : '';
      return [path.slice(root.length + 1), [mode.toString(8), Math.round(mtimeMs), content].join(' ')];
    }),
  );
}
