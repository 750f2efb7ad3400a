import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCommon } from '../../schemas/text/visible.ts';

/** The most files: one for each list and size of a popup. */
const MOST = 12;
/** More than any screen. `bin/devflow` shows no more. */
const MAX_BYTES = 65_536;

/**
 * Keeps what a popup shows first. `bin/devflow` prints it to a terminal, so only this user may write there. Nothing depends
 * on it: where it cannot be written, the next popup starts without it.
 */
export function keepOldFrame(directory: string, name: string, painting: string): void {
  const draft = join(directory, `.${process.pid}`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    if (!lstatSync(directory).isDirectory()) return;
    chmodSync(directory, 0o700);
    rmSync(draft, { force: true });
    if (!isPrintable(painting)) {
      // Else the next popup would show an older list than the last one.
      rmSync(join(directory, name), { force: true });
      return;
    }
    writeFileSync(draft, painting, { mode: 0o600, flag: 'wx' });
    // A popup that opens meanwhile finds the old file or the new one.
    renameSync(draft, join(directory, name));
    dropOldest(directory);
  } catch {
    // A full disk, or a directory of somebody else.
  }
}

/** True if `bin/devflow` would print it: it knows only common characters. */
function isPrintable(painting: string): boolean {
  return Buffer.byteLength(painting) <= MAX_BYTES && isCommon(painting.replaceAll('\u001b', ''));
}

function dropOldest(directory: string): void {
  const files = readdirSync(directory).map((name) => join(directory, name));
  if (files.length <= MOST) return;
  const oldest = files.map((file) => ({ file, at: statSync(file).mtimeMs })).sort((a, b) => a.at - b.at);
  for (const { file } of oldest.slice(0, -MOST)) rmSync(file, { force: true });
}
