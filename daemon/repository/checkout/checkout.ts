import { mkdtemp, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import type { GitOptions, GitOutput } from '../git/gitCommand.ts';
import { canonical, gitDirectories, readText } from '../git/repositoryFiles.ts';
import { keepLink, makeAsGit } from '../privateGit/keepFiles.ts';
import { effectiveSettings } from '../privateGit/privateConfig.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { copyIndex } from '../privateGit/privateIndex.ts';
import { withTemporaryGit } from '../privateGit/temporaryGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/** A person's checkout, with a private git directory for devflow's calls. */
export interface Checkout {
  /** Its top level. */
  path: string;
  /** The person's git directory of this checkout. */
  gitDir: string;
  /** The git directory that all worktrees of the repository share. */
  common: string;
  /** The branch that is checked out; null when HEAD is detached. */
  branch: string | null;
  /** Its commit; null before the first one. */
  commit: string | null;
  privateGit: PrivateGit;
  /** All settings that the person's own git has here. */
  settings: Map<string, string>;
  /** Runs git on the files, with all attributes that the person's own git reads. `index` is a copy. */
  files(args: readonly string[], options: GitOptions & { index: string }): Promise<GitOutput>;
}

/** Calls `use` with the checkout. Throws git_failed if there is none. */
export async function withCheckout<T>(repoPath: string, git: Git, use: (checkout: Checkout) => Promise<T>): Promise<T> {
  const path = await canonical(repoPath);
  const { gitDir, common } = await gitDirectories(path);
  const branch = await branchOf(gitDir);
  const head = await readText(join(gitDir, 'HEAD'));
  // A detached HEAD gets a placeholder name. devflow never commits to it.
  return withTemporaryGit(
    { repoPath: path, path, branch: branch ?? 'devflow/none', head },
    common,
    git,
    async (privateGit) => {
      const settings = await effectiveSettings(gitDir);
      const attributesFile = personFile(settings);
      await keepLink(join(privateGit.gitDir, 'info', 'attributes'), join(common, 'info', 'attributes'));
      makeAsGit(join(gitDir, 'logs'), gitDir);
      // A move of the branch then appears in the reflog of the person's HEAD.
      await keepLink(join(privateGit.gitDir, 'logs', 'HEAD'), join(gitDir, 'logs', 'HEAD'));
      const commit =
        branch === null
          ? await detachedCommit(privateGit, gitDir)
          : await commitNamed(privateGit, `refs/heads/${branch}`);
      return use({
        path,
        gitDir,
        common,
        branch,
        commit: commit ?? null,
        privateGit,
        settings,
        files: (args, options) => privateGit.run(args, { timeoutMs: 600_000, ...options, attributesFile }),
      });
    },
  );
}

/** The branch that HEAD names; null when it is detached. */
export async function branchOf(gitDir: string): Promise<string | null> {
  return /^ref: refs\/heads\/(.+)$/.exec((await readText(join(gitDir, 'HEAD'))) ?? '')?.[1] ?? null;
}

async function detachedCommit(privateGit: PrivateGit, gitDir: string): Promise<string | undefined> {
  const text = (await readText(join(gitDir, 'HEAD'))) ?? '';
  return /^[0-9a-f]{40,64}$/.test(text) ? commitNamed(privateGit, text) : undefined;
}

function personFile(settings: Map<string, string>): string {
  const { HOME = homedir(), XDG_CONFIG_HOME } = process.env;
  const named = settings.get('core.attributesfile')?.replace(/^~(?=\/)/, HOME);
  return named || join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'attributes');
}

/** Calls `use` with a copy of the person's index. */
export async function withIndexCopy<T>(checkout: Checkout, use: (index: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(checkout.privateGit.gitDir, 'index-'));
  try {
    const index = join(directory, 'index');
    await copyIndex(join(checkout.gitDir, 'index'), index);
    return await use(index);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
