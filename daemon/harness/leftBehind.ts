import { readRegularText } from '../../schemas/openRegular.ts';
import { dirtyFiles } from './dirty.ts';
import { exists } from './worktreeList.ts';

/** As much as an artifact may have. */
const MOST_BYTES = 16 * 1024 * 1024;

export interface LeftBehind {
  /** Parsed artifacts by id. */
  contents: Record<string, unknown>;
  /** Files of the worktree that are changed and not committed. */
  dirtyFiles: number;
}

/**
 * What a report tells of artifacts and worktree beyond the log: one `git status` and the stored copies. What cannot be
 * read is left out, for a report without it is better than none.
 */
export async function readLeftBehind(
  artifacts: readonly { id: string; valid: boolean; storedPath: string | null }[],
  worktree: string,
): Promise<LeftBehind> {
  const stored = artifacts.flatMap(({ id, valid, storedPath }) => (valid && storedPath ? [{ id, storedPath }] : []));
  const [files, parsed] = await Promise.all([
    countDirty(worktree),
    Promise.all(stored.map(async ({ id, storedPath }) => [id, await readJson(storedPath)] as const)),
  ]);
  return { contents: Object.fromEntries(parsed), dirtyFiles: files ?? 0 };
}

/** Undefined where there is no worktree to look at. */
export async function countDirty(worktree: string): Promise<number | undefined> {
  if (!(await exists(worktree))) return undefined;
  return dirtyFiles(worktree).then(
    (files) => files.length,
    () => undefined,
  );
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(readRegularText(path, MOST_BYTES) ?? '');
  } catch {
    return undefined;
  }
}
