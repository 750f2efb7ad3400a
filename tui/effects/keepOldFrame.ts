import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** One for each list and size of a popup. */
const MOST = 12;
/** More than any screen. `bin/devflow` shows no more. */
const MAX_BYTES = 65_536;

/**
 * Keeps what a popup shows first. `bin/devflow` prints the file as it is, so only this user may write there. Nothing depends
 * on it: where it cannot be written, the next popup starts without it.
 */
export function keepOldFrame(directory: string, name: string, painting: string): void {
  if (Buffer.byteLength(painting) > MAX_BYTES) return;
  const draft = join(directory, `.${process.pid}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!lstatSync(directory).isDirectory()) return;
    chmodSync(directory, 0o700);
    rmSync(draft, { force: true });
    writeFileSync(draft, painting, { mode: 0o600, flag: 'wx' });
    // A popup that opens meanwhile finds the old file or the new one.
    renameSync(draft, join(directory, name));
    dropOldest(directory);
  } catch {
    // A full disk, or a directory of somebody else.
  }
}

function dropOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => join(directory, name));
  if (files.length <= MOST) return;
  const oldest = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => a.at - b.at);
  for (const { file } of oldest.slice(0, -MOST)) rmSync(file, { force: true });
}
