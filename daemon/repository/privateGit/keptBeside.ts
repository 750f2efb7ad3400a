import { mkdirSync, rmSync } from 'node:fs';
import { rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import { replace } from './keepFiles.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Of the private git directory. */
const NAMES = ['excluded', 'setup.json'] as const;
type Kept = (typeof NAMES)[number];

/** No worktree has such a name. */
function place(path: string): string {
  return join(dirname(path), '.kept', basename(path));
}

/**
 * Keeps a copy of a file of the private git directory beside the worktree. git can lose its entry of a worktree, with
 * devflow's directory in it. `git worktree prune` does so while the disk of the files is away.
 */
export async function keepBeside(path: string, name: Kept, bytes: Buffer): Promise<void> {
  mkdirSync(place(path), { recursive: true, mode: 0o700 });
  await replace(join(place(path), name), (fresh) => writeFile(fresh, bytes, { mode: 0o600 }));
}

/** Gives a new git directory of the same worktree what the lost one had. */
export async function giveBack({ path, gitDir }: { path: string; gitDir: string }): Promise<void> {
  for (const name of NAMES) {
    const kept = readRegular(join(place(path), name), MOST_BYTES);
    if (kept.ok) await replace(join(gitDir, name), (fresh) => writeFile(fresh, kept.bytes));
  }
}

/** The worktree is gone, or is another one. */
export async function forgetBeside(path: string): Promise<void> {
  rmSync(place(path), { recursive: true, force: true });
  await rmdir(dirname(place(path))).catch(() => {});
}
