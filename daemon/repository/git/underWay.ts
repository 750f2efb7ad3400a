import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './repositoryFiles.ts';

/** An operation of git that somebody began and did not finish. */
export interface UnderWay {
  /** With its article. */
  what: string;
  /** Ends it and keeps the files. */
  quit: string;
}

/** Files in a git directory that show it. */
const MARKS: readonly (readonly [name: string, operation: UnderWay])[] = [
  ['MERGE_HEAD', { what: 'a merge', quit: 'git merge --quit' }],
  ['rebase-merge', { what: 'a rebase', quit: 'git rebase --quit' }],
  ['rebase-apply', { what: 'a rebase', quit: 'git rebase --quit' }],
  ['CHERRY_PICK_HEAD', { what: 'a cherry-pick', quit: 'git cherry-pick --quit' }],
  ['REVERT_HEAD', { what: 'a revert', quit: 'git revert --quit' }],
  ['sequencer', { what: 'a cherry-pick or revert', quit: 'git cherry-pick --quit' }],
  ['BISECT_LOG', { what: 'a bisect', quit: 'git bisect reset HEAD' }],
];

/** The operation under way in a checkout or worktree, by its git directory. */
export async function readUnderWay(gitDir: string): Promise<UnderWay | undefined> {
  for (const [name, operation] of MARKS) if (await exists(join(gitDir, name))) return operation;
  return undefined;
}

/** Ends all operations under way in a worktree. It changes no file and no branch. */
export async function endUnderWay(gitDir: string): Promise<void> {
  for (const [name] of MARKS) await rm(join(gitDir, name), { recursive: true, force: true });
}
