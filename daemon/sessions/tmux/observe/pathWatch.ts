import { type FSWatcher, watch } from 'node:fs';
import { basename } from 'node:path';

export interface PathWatch {
  /** Watches this path, if possible and not watched yet. Call it at each look. */
  follow(path: string): void;
  close(): void;
}

/**
 * Watches one file or directory of an agent's program. It may come later, go, or be replaced: `fs.watch` on the one
 * path suffices. `onChange` gets the name of what changed, or null.
 */
export function createPathWatch(onChange: (name: string | null) => void): PathWatch {
  let watched: { path: string; watcher: FSWatcher } | undefined;
  let closed = false;

  /** A watch on what was removed or replaced hears nothing more. */
  function drop(): void {
    watched?.watcher.close();
    watched = undefined;
  }

  return {
    follow(path) {
      if (closed || watched?.path === path) return;
      drop();
      try {
        const watcher = watch(path, (type, name) => {
          if (type === 'rename' && name === basename(path) && watched?.watcher === watcher) drop();
          onChange(name);
        });
        watcher.on('error', () => {
          if (watched?.watcher === watcher) drop();
        });
        watched = { path, watcher };
      } catch {
        // It does not exist yet.
      }
    },
    close() {
      closed = true;
      drop();
    },
  };
}
