import { mkdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { CHANGED, REVIEWS } from './draftFiles.ts';

/**
 * Calls `onChange` after each change of drafts by any client, this one too. A notice is a nudge: whoever gets it reads the files
 * again. Each opening of a gate reads them as well, so a lost notice hides nothing for good.
 */
export function watchReviews(stateDir: string, onChange: () => void): { close(): void } {
  try {
    const directory = join(stateDir, REVIEWS);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const watcher = watch(directory, { persistent: false }, (_, name) => {
      if (name === null || name === CHANGED) onChange();
    });
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The directory is read-only, or the system has no watches left.
    return { close() {} };
  }
}
