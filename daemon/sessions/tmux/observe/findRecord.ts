import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordPlace } from '../profile/profile.ts';

export function recordsIn({ within, pattern }: RecordPlace): string[] {
  return globSync(pattern, { cwd: within }).map((path) => join(within, path));
}

/**
 * Finds the record of a conversation that no hook names. The program writes it before it takes a prompt, so devflow looks
 * once for each prompt that was taken.
 */
export function createRecordFinder(
  place: () => RecordPlace | undefined,
  lastTakenAt: () => number | undefined,
): () => string | undefined {
  let found: string | undefined;
  let lookedFor: number | undefined;
  return () => {
    const takenAt = lastTakenAt();
    if (found !== undefined || takenAt === lookedFor) return found;
    lookedFor = takenAt;
    const where = place();
    found = where && recordsIn(where).at(-1);
    return found;
  };
}
