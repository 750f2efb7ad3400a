import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Git } from '../git/git.ts';
import type { GitOptions, GitOutput } from '../git/gitCommand.ts';
import { canonical, gitDirectories, readText } from '../git/repositoryFiles.ts';
import { keepLink, type Lane } from '../lane/lane.ts';
import { effectiveSettings } from '../lane/laneConfig.ts';
import { withLentLane } from '../lane/lentLane.ts';
import { commitNamed } from '../lane/workCommit.ts';

/** A checkout of the person's, with a git directory of devflow's own for the calls on it. */
export interface Checkout {
  /** Its top level. */
  path: string;
  /** The person's git directory of this checkout. */
  gitDir: string;
  /** What all worktrees of the repository share. */
  common: string;
  /** The branch that is checked out; null when HEAD is detached. */
  branch: string | null;
  /** Its commit; null before the first one. */
  commit: string | null;
  lane: Lane;
  /** What the person's own git reads here, as data. */
  settings: Map<string, string>;
  /** Runs git on the files, with all attributes that the person's own git reads. Its index is a copy. */
  files(args: readonly string[], options: GitOptions & { index: string }): Promise<GitOutput>;
}

/** Lends the checkout for the time of `use`. Throws git_failed where there is none. */
export async function withCheckout<T>(repoPath: string, git: Git, use: (checkout: Checkout) => Promise<T>): Promise<T> {
  const path = await canonical(repoPath);
  const { gitDir, common } = await gitDirectories(path);
  const branch = await branchOf(gitDir);
  const head = await readText(join(gitDir, 'HEAD'));
  // Nothing is ever committed to the name that stands in for a detached HEAD.
  return withLentLane({ repoPath: path, path, branch: branch ?? 'devflow/none', head }, common, git, async (lane) => {
    const settings = await effectiveSettings(gitDir);
    const attributesFile = personFile(settings);
    await keepLink(join(lane.gitDir, 'info', 'attributes'), join(common, 'info', 'attributes'));
    // A move of the branch is in the reflog of the person's HEAD, as with their own git.
    await keepLink(join(lane.gitDir, 'logs', 'HEAD'), join(gitDir, 'logs', 'HEAD'));
    const commit =
      branch === null ? await detachedCommit(lane, gitDir) : await commitNamed(lane, `refs/heads/${branch}`);
    return use({
      path,
      gitDir,
      common,
      branch,
      commit: commit ?? null,
      lane,
      settings,
      files: (args, options) => lane.run(args, { timeoutMs: 600_000, ...options, attributesFile }),
    });
  });
}

/** The branch that HEAD names; null when it is detached. */
export async function branchOf(gitDir: string): Promise<string | null> {
  return /^ref: refs\/heads\/(.+)$/.exec((await readText(join(gitDir, 'HEAD'))) ?? '')?.[1] ?? null;
}

async function detachedCommit(lane: Lane, gitDir: string): Promise<string | undefined> {
  const text = (await readText(join(gitDir, 'HEAD'))) ?? '';
  return /^[0-9a-f]{40,64}$/.test(text) ? commitNamed(lane, text) : undefined;
}

function personFile(settings: Map<string, string>): string {
  const { HOME = homedir(), XDG_CONFIG_HOME } = process.env;
  const named = settings.get('core.attributesfile')?.replace(/^~(?=\/)/, HOME);
  return named || join(XDG_CONFIG_HOME || join(HOME, '.config'), 'git', 'attributes');
}
