import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeInside, writeInside } from '../../../schemas/files/insideRoot.ts';
import { isDirectory, readText } from '../git/repositoryFiles.ts';
import type { PrivateGit } from './privateGit.ts';
import { commitNamed } from './workCommit.ts';

/**
 * The git of an agent in a sandbox, in devflow's private directory of the worktree. The agent reads the repository, and
 * writes its index, HEAD and objects here. Its HEAD names a commit: it may write no branch.
 */
export interface AgentGit {
  /** Stands in the place of git's entry of the worktree. */
  entry: string;
  /** Stands in the place of the repository's objects. */
  objects: string;
  /** Below `objects`, where the sandbox shows the objects of the repository. */
  repositoryObjects: string;
  /** The same for files of git-lfs: stands in the place of the repository's. */
  lfs: string;
}

const ENTRY = 'entry';
const OBJECTS = 'objects';
/** The name of the repository's objects below the agent's. */
const SHOWN = 'repository';
const LFS = 'lfs';
/** Below `objects`, where git-lfs looks for the files of a repository that another one borrows from. */
export const REPOSITORY_LFS = 'lfs/objects';
/** Git needs these of the worktree's own entry. */
const COPIED = ['index', 'commondir', 'gitdir', 'config.worktree', 'info/sparse-checkout'];

const rootOf = ({ gitDir }: PrivateGit) => join(gitDir, 'agent');

/** The git of the worktree's agent; undefined if none was in a sandbox. */
export async function agentGitOf(privateGit: PrivateGit): Promise<AgentGit | undefined> {
  const root = rootOf(privateGit);
  if (!(await isDirectory(join(root, ENTRY)))) return undefined;
  const objects = join(root, OBJECTS);
  return { entry: join(root, ENTRY), objects, repositoryObjects: join(objects, SHOWN), lfs: join(root, LFS) };
}

/** Makes it, unless the worktree has one. */
export async function openAgentGit(privateGit: PrivateGit): Promise<AgentGit> {
  const root = rootOf(privateGit);
  const isNew = !(await isDirectory(join(root, ENTRY)));
  makeInside(privateGit.gitDir, join('agent', OBJECTS, SHOWN));
  makeInside(privateGit.gitDir, join('agent', OBJECTS, 'pack'));
  makeInside(privateGit.gitDir, join('agent', LFS));
  // As the agent sees it: git-lfs reads no relative path.
  writeInside(join(root, OBJECTS), 'info/alternates', `${join(privateGit.common, 'objects', SHOWN)}\n`);
  makeInside(privateGit.gitDir, join('agent', ENTRY));
  if (isNew) await renewAgentGit(privateGit);
  return (await agentGitOf(privateGit)) as AgentGit;
}

/** Gives the agent's git the branch and the index of devflow, if the worktree has such a git. */
export async function renewAgentGit(privateGit: PrivateGit): Promise<void> {
  const entry = join(rootOf(privateGit), ENTRY);
  if (!existsSync(entry)) return;
  const head = privateGit.head ?? (await commitNamed(privateGit, `refs/heads/${privateGit.branch}`));
  if (head !== undefined) writeInside(entry, 'HEAD', `${head}\n`);
  for (const name of COPIED) {
    const bytes = await readFile(join(privateGit.entry.directory, name)).catch(() => undefined);
    if (bytes) writeInside(entry, name, bytes);
  }
}

/** Directories with more objects of the repository. */
export async function alternatesOf(common: string): Promise<string[]> {
  const text = (await readText(join(common, 'objects/info/alternates'))) ?? '';
  return text.split('\n').filter((line) => line.startsWith('/'));
}
