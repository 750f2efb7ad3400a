import { readFile, stat } from 'node:fs/promises';
import { basename, relative } from 'node:path';
import { editorOf, runEditor, withScratch } from '../../cli/input/editor.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { lookInside } from '../../schemas/files/insideRoot.ts';
import { readRegular } from '../../schemas/files/openRegular.ts';
import type { OpenCommand } from '../model/model.ts';

/** No person reads a longer text. */
const MAX_BYTES = 256 * 1024 * 1024;

/** Opens a path in the editor. Resolves with a note for the person, if there is one. */
export async function openInEditor({
  path,
  as,
  root,
  line,
}: Pick<OpenCommand, 'path' | 'as' | 'root' | 'line'>): Promise<string | undefined> {
  if (as === 'copy') return openCopy(path);
  if (as === 'directory') await checkWorktree(path);
  else checkFile(path, root ?? '/');
  await runEditor(path, { cwd: as === 'directory' ? path : root, line });
  return fallbackNote();
}

/** Opens a read-only copy, so the editor cannot change the recorded file. */
async function openCopy(path: string): Promise<string | undefined> {
  const read = readRegular(path, MAX_BYTES);
  if (!read.ok) throw missing(path, read.missing ? 'it is gone' : read.fault);
  return withScratch(basename(path).replaceAll(/[^\w.@-]/g, '_'), read.bytes, 0o400, async (file) => {
    await runEditor(file);
    const after = await readFile(file).catch(() => read.bytes);
    return after.equals(read.bytes) ? fallbackNote() : 'Your changes are dropped: it was a copy of the recorded file.';
  });
}

/** An editor or a shell must not create a removed worktree again. */
export async function checkWorktree(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found) throw missing(path, 'the worktree is gone; its commits are on the branch');
  if (!found.isDirectory()) throw missing(path, 'it is not a directory');
}

/** Refuses links out of the worktree, and pipes, which would block the editor. */
function checkFile(path: string, root: string): void {
  const below = relative(root, path);
  if (below.startsWith('..')) throw missing(path, 'it is not in the worktree');
  const entry = lookInside(root, below);
  if (!entry.ok) throw missing(path, entry.missing ? 'it is not in the worktree' : entry.fault);
  if (!entry.facts.isFile())
    throw missing(path, entry.facts.isSymbolicLink() ? 'it is a link' : 'it is not a regular file');
}

function missing(path: string, why: string): DevflowError {
  return new DevflowError('usage', `${path} cannot be opened: ${why}`);
}

/** Like git, devflow falls back to vi. */
function fallbackNote(): string | undefined {
  return editorOf(process.env) === undefined ? 'Neither VISUAL nor EDITOR is set, so vi was used.' : undefined;
}
