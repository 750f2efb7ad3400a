import { readFile, stat } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { editorOf, runEditor, withScratch } from '../../cli/input/editor.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside } from '../../schemas/files/insideRoot.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';
import type { OpenCommand } from '../model/step.ts';

/** More is no text that a person reads. */
const MOST_BYTES = 256 * 1024 * 1024;

/** Opens what an agent may have written. Resolves with a sentence where a person should know more. */
export async function openInEditor({
  path,
  as,
  root,
}: Pick<OpenCommand, 'path' | 'as' | 'root'>): Promise<string | undefined> {
  if (as === 'copy') return openCopy(path);
  if (as === 'directory') await checkWorktree(path);
  else checkFile(path, root ?? '/');
  await runEditor(path, { cwd: as === 'directory' ? path : root });
  return fallbackSaid();
}

/** Of what was recorded a copy: the editor cannot change it. */
async function openCopy(path: string): Promise<string | undefined> {
  const read = readRegular(path, MOST_BYTES);
  if (!read.ok) throw missing(path, read.missing ? 'it is gone' : read.fault);
  return withScratch(basename(path).replaceAll(/[^\w.@-]/g, '_'), read.bytes, 0o400, async (file) => {
    await runEditor(file);
    const after = await readFile(file).catch(() => read.bytes);
    return after.equals(read.bytes) ? fallbackSaid() : 'It was a copy of what was recorded: your changes are dropped.';
  });
}

/** A worktree that was removed is not made again by an editor or a shell. */
export async function checkWorktree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw missing(path, 'the worktree is gone; the branch keeps what was committed');
  if (!found.isDirectory()) throw missing(path, 'it is no directory');
}

/** No link out of the worktree, and nothing but a file: a pipe would hold the editor up. */
function checkFile(path: string, root: string): void {
  const below = relative(root, path);
  if (below.startsWith('..')) throw missing(path, 'it is not in the worktree');
  const looked = lookInside(root, below);
  if (!looked.ok) throw missing(path, looked.missing ? 'it is not in the worktree' : looked.fault);
  if (!looked.facts.isFile())
    throw missing(path, looked.facts.isSymbolicLink() ? 'it is a link' : 'it is no regular file');
}

function missing(path: string, why: string): DevflowError {
  return new DevflowError('usage', `${path} cannot be opened: ${why}`);
}

/** As git does it. */
function fallbackSaid(): string | undefined {
  return editorOf(process.env) === undefined ? 'Neither VISUAL nor EDITOR is set, so vi was used.' : undefined;
}
