import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { lookInside, makeInside } from '../../../schemas/files/insideRoot.ts';
import { moveInside } from '../../../schemas/files/moveInside.ts';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import { orElse } from '../../../schemas/orElse.ts';
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

/** Undefined if there is none. */
export function readBeside(path: string, name: Kept): Buffer | undefined {
  const kept = readRegular(join(place(path), name), MOST_BYTES);
  return kept.ok ? kept.bytes : undefined;
}

/** Gives a new git directory of the same worktree what the lost one had. */
export async function giveBack({ path, gitDir }: { path: string; gitDir: string }): Promise<void> {
  for (const name of NAMES) {
    const kept = readBeside(path, name);
    if (kept) await replace(join(gitDir, name), (fresh) => writeFile(fresh, kept));
  }
}

const PUT_BACK = 'put-back';
/** Each set-up may change a lock file, and a worktree may live for weeks. */
const MOST_PUT_BACK = 20;

/**
 * Moves files of a worktree beside it, before another version takes their place. They may be edits of a person, and go with the
 * worktree. A path that is not there is nothing to move. In its place the file or link moves that is in the way of it.
 */
export function setAside(path: string): (file: string) => void {
  const [root, name] = [dirname(path), basename(path)];
  const kept = join(relative(root, place(path)), PUT_BACK);
  let nth: string | undefined;
  return function move(file) {
    const found = lookInside(path, file);
    if (!found.ok) {
      const isBlocked = found.code === 'ENOTDIR' || found.code === 'ELOOP';
      if (isBlocked && dirname(file) !== '.') move(dirname(file));
      else if (!found.missing) throw notKept(path, file, found.fault);
      return;
    }
    nth ??= nextIn(join(root, kept));
    const to = join(kept, nth, file);
    const made = makeInside(root, dirname(to));
    const moved = made.ok ? moveInside(root, join(name, file), to) : made;
    if (!moved.ok && !(made.ok && moved.missing)) throw notKept(path, file, moved.fault);
  };
}

/** The name of a new directory there. The oldest ones go. */
function nextIn(directory: string): string {
  const names = orElse(() => readdirSync(directory), [])
    .map(Number)
    .filter(Number.isInteger)
    .sort((a, b) => a - b);
  for (const old of names.slice(0, 1 - MOST_PUT_BACK))
    rmSync(join(directory, String(old)), { recursive: true, force: true });
  return String((names.at(-1) ?? 0) + 1);
}

function notKept(path: string, file: string, fault: string): DevflowError {
  return new DevflowError('file_system_failed', `devflow could not keep ${file} of ${path} beside it: ${fault}.`);
}

/** The worktree is gone, or is another one. */
export async function forgetBeside(path: string): Promise<void> {
  rmSync(place(path), { recursive: true, force: true });
  await rmdir(dirname(place(path))).catch(() => {});
}
