import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exists, isDirectory, readText } from '../git/repositoryFiles.ts';
import { takeAgentCommit } from '../privateGit/agentCommits.ts';
import { renewAgentGit } from '../privateGit/agentGit.ts';
import { keepText, replace } from '../privateGit/keepFiles.ts';
import type { PrivateGit } from '../privateGit/privateGit.ts';
import { commitNamed } from '../privateGit/workCommit.ts';

/** The checked-out commit of the worktree; `branch` for devflow's own branch, null for none. */
export async function commitOfHead(privateGit: PrivateGit): Promise<string | 'branch' | null> {
  const ofAgent = await takeAgentCommit(privateGit);
  if (ofAgent !== undefined) return ofAgent ?? 'branch';
  if (privateGit.entry.ref === `refs/heads/${privateGit.branch}`) return 'branch';
  const name = privateGit.entry.ref ?? (await readText(join(privateGit.entry.directory, 'HEAD'))) ?? '';
  return isName(name) ? ((await commitNamed(privateGit, name)) ?? null) : null;
}

/** True for a commit or a ref. */
function isName(text: string): boolean {
  return /^(?:[0-9a-f]{40,64}|refs\/.+)$/.test(text);
}

/**
 * Repairs the worktree for the agent's own git. Sets its HEAD to devflow's branch, or to the commit of a detached
 * worktree. Restores its `.git` file. It changes no other file. If `.git` is a directory, it moves it beside the
 * worktree.
 */
export async function settleWorktree(privateGit: PrivateGit): Promise<void> {
  const head = privateGit.head ?? `ref: refs/heads/${privateGit.branch}`;
  await keepText(join(privateGit.entry.directory, 'HEAD'), `${head}\n`);
  await renewAgentGit(privateGit);
  const file = join(privateGit.path, '.git');
  const text = `gitdir: ${privateGit.entry.directory}\n`;
  if ((await readText(file)) === text.trimEnd()) return;
  if (await isDirectory(file)) await rename(file, await freeName(`${privateGit.path}.git`));
  await replace(file, (fresh) => writeFile(fresh, text));
}

async function freeName(path: string): Promise<string> {
  for (let n = 1; ; n++) if (!(await exists(`${path}.aside-${n}`))) return `${path}.aside-${n}`;
}
