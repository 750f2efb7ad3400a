import { isLocalFile } from '../../../schemas/contracts/handover/document/contract.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { readInside } from '../../../schemas/files/insideRoot.ts';
import { excludeLocalFiles } from '../handovers/excludeLocalFiles.ts';
import { writeWhole } from '../writeWhole.ts';

/** Larger than any of these files. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Texts by path, relative to the worktree. */
export type Files = Readonly<Record<string, string>>;

/**
 * Writes the files that differ, in their order. A fault of one is returned, and does not stop the others. Throws if the
 * machine fails, such as for lack of space.
 */
export async function keepFiles(
  place: { repoPath: string; worktree: string },
  files: Files,
): Promise<Map<string, unknown>> {
  const { repoPath, worktree } = place;
  // The worktree's own file `.git` is an agent's: it may name another repository.
  if (Object.keys(files).some(isLocalFile)) await excludeLocalFiles(repoPath);
  const inTheWay = new Map<string, unknown>();
  for (const [path, text] of Object.entries(files)) {
    try {
      if (textAt(worktree, path) !== text) writeWhole(worktree, path, text);
    } catch (error) {
      if (!isInTheWay(error)) throw error;
      inTheWay.set(path, error);
    }
  }
  return inTheWay;
}

/** A link, a directory, or what a person or an agent made unwritable. */
function isInTheWay(error: unknown): boolean {
  if (error instanceof DevflowError) return error.code === 'path_unsafe';
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}

export function textAt(worktree: string, path: string): string | undefined {
  const there = readInside(worktree, path, MOST_BYTES);
  return there.ok ? there.bytes.toString('utf8') : undefined;
}
