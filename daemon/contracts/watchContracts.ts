import { join } from 'node:path';
import { WANTED_OF_ALL } from '../../schemas/contracts/registry.ts';
import { type DirectoryWatch, watchDirectory } from '../system/watchDirectory.ts';
import { contractDirectories, type WatchedNames } from './contractDirectories.ts';

/** Changes that follow each other this fast are reported once. */
const SETTLE_MS = 50;

/** Reports changes of contract files in repositories while a viewer is there. */
export interface ContractWatches {
  /**
   * Also calls back once at the start. Returns a function that ends it. The last one to end stops all watches of the
   * repository.
   */
  watch(repo: string, onChange: () => void): () => void;
  /** The number of watched directories. */
  count(): number;
}

interface Watched {
  names: WatchedNames;
  opened: Promise<DirectoryWatch>;
}

export function createContractWatches({
  watch = watchDirectory,
}: {
  watch?: typeof watchDirectory;
} = {}): ContractWatches {
  const repositories = new Map<string, Repository>();
  return {
    watch(repo, onChange) {
      const listener = () => onChange();
      const repository = repositories.get(repo) ?? watchRepository(repo, watch);
      repositories.set(repo, repository);
      repository.listeners.add(listener);
      // Reports changes after the viewer's first reading.
      repository.tellSoon();
      return () => {
        if (!repository.listeners.delete(listener) || repository.listeners.size > 0) return;
        repositories.delete(repo);
        repository.close();
      };
    },
    count: () => [...repositories.values()].reduce((sum, { watched }) => sum + watched.size, 0),
  };
}

interface Repository {
  readonly listeners: Set<() => void>;
  readonly watched: ReadonlyMap<string, Watched>;
  tellSoon(): void;
  close(): void;
}

/** Directories come and go, so each notice looks again which ones there are. */
function watchRepository(repo: string, watch: typeof watchDirectory): Repository {
  const listeners = new Set<() => void>();
  const watched = new Map<string, Watched>();
  let timer: NodeJS.Timeout | undefined;

  function onNotice(path: string, name: string | undefined): void {
    const names = watched.get(path)?.names;
    if (names === undefined || (name !== undefined && names !== 'all' && !names.has(name))) return;
    tellSoon();
  }

  function tellSoon(): void {
    timer ??= setTimeout(settle, SETTLE_MS);
  }

  function settle(): void {
    timer = undefined;
    look();
    for (const listener of listeners) listener();
  }

  function look(): void {
    const found = contractDirectories(repo, WANTED_OF_ALL);
    for (const [path, { opened }] of watched) {
      if (found.has(path)) continue;
      watched.delete(path);
      shut(opened);
    }
    for (const [path, names] of found) {
      const before = watched.get(path);
      if (before) before.names = names;
      else watched.set(path, { names, opened: opening(path) });
    }
  }

  /** Looks once more, for files that came into the directory before it was watched. */
  function opening(path: string): Promise<DirectoryWatch> {
    tellSoon();
    return watch(join(repo, path), (name) => onNotice(path, name), { make: false });
  }

  look();
  return {
    listeners,
    watched,
    tellSoon,
    close() {
      clearTimeout(timer);
      for (const { opened } of watched.values()) shut(opened);
      watched.clear();
    },
  };
}

/** With `make: false` opening never fails. */
function shut(opened: Promise<DirectoryWatch>): void {
  void opened.then((watching) => watching.close());
}
