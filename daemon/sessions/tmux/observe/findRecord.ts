import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { steadyNow } from '../../../../schemas/time/steadyTime.ts';
import type { RecordPlace } from '../profile/profile.ts';

export function recordsIn({ within, pattern }: RecordPlace): string[] {
  return globSync(pattern, { cwd: within }).map((path) => join(within, path));
}

/** While nothing is found. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Finds the record of a conversation that no hook names. The program writes it around the first prompt, so devflow
 * looks for it once a prompt was taken. The newest of several files counts.
 */
export function createRecordFinder(
  place: () => RecordPlace | undefined,
  lastTakenAt: () => number | undefined,
): () => string | undefined {
  let found: string | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const now = steadyNow();
    if (found !== undefined || lastTakenAt() === undefined || now - lookedAt < LOOK_AGAIN_MS) return found;
    lookedAt = now;
    const where = place();
    found = where && newestOf(recordsIn(where));
    return found;
  };
}

function newestOf(paths: readonly string[]): string | undefined {
  const writtenAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return paths.toSorted((a, b) => writtenAt(a) - writtenAt(b)).at(-1);
}
