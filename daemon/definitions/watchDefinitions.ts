import { join, sep } from 'node:path';
import { counted } from '../../schemas/text/phrases.ts';
import { type DirectoryWatch, watchDirectory } from '../system/watchDirectory.ts';
import {
  type DefinitionPaths,
  type DefinitionPlaces,
  definitionDirectories,
  MOST_DIRECTORIES,
  type WatchedNames,
} from './definitionDirectories.ts';

/** A burst of changes is over when nothing has changed for this long. */
const QUIET_MS = 100;
/** Changes that never stop are taken up all the same. */
const LONGEST_MS = 1_000;

export interface DefinitionWatch {
  /** The reason for each directory that is not watched, by its path. */
  refused(): ReadonlyMap<string, string>;
  close(): void;
}

interface Watched {
  names: WatchedNames;
  opened: Promise<DirectoryWatch>;
}

/**
 * Calls `onChange` once at the start, and after each burst of changes of the person's definition files. Nothing polls: a
 * directory that the system refuses to watch is tried again at the next change of another one.
 */
export function watchDefinitions(
  paths: DefinitionPaths,
  {
    onChange,
    onRefused,
    onAccepted,
    watch = watchDirectory,
  }: {
    onChange(): void;
    onRefused(directory: string, error: Error): void;
    /** A refused directory is watched now, or it is gone. */
    onAccepted(): void;
    watch?: typeof watchDirectory;
  },
): DefinitionWatch {
  const watched = new Map<string, Watched>();
  const refused = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  let deadline: number | undefined;

  function tellSoon(): void {
    const now = performance.now();
    deadline ??= now + LONGEST_MS;
    clearTimeout(timer);
    timer = setTimeout(settle, Math.min(QUIET_MS, Math.max(0, deadline - now)));
  }

  function settle(): void {
    timer = undefined;
    deadline = undefined;
    const before = [...refused.keys()];
    look();
    if (before.some((directory) => !refused.has(directory))) onAccepted();
    onChange();
  }

  /** Directories come and go, so each change looks again which ones there are. */
  function look(): void {
    const { directories, beyond } = readDirectories();
    for (const [directory, { opened }] of watched) {
      if (directories.has(directory)) continue;
      watched.delete(directory);
      shut(opened);
    }
    const [tooMany] = beyond;
    for (const directory of refused.keys()) {
      const isOpen = !directories.has(directory) || watched.has(directory);
      if (isOpen && directory !== tooMany) refused.delete(directory);
    }
    for (const [directory, names] of directories) {
      const before = watched.get(directory);
      if (before) before.names = names;
      else open(directory, names);
    }
    if (tooMany !== undefined) refuse(tooMany, new Error(tooManyDirectories(beyond.size)));
  }

  /** The person may change a directory while it is read. That change is reported, and the next look finds it. */
  function readDirectories(): DefinitionPlaces {
    try {
      return definitionDirectories(paths);
    } catch (error) {
      refuse(paths.configDir, error as NodeJS.ErrnoException);
      const directories = new Map([...watched].map(([directory, { names }]) => [directory, names]));
      return { directories, beyond: new Set() };
    }
  }

  /** Opening calls back once, which finds what changed before. */
  function open(directory: string, names: WatchedNames): void {
    let isRefused = false;
    const onNotice = (name: string | undefined) => {
      if (isRefused) return;
      refused.delete(directory);
      if (name === undefined) closeBelow(directory);
      const wanted = watched.get(directory)?.names ?? names;
      if (name === undefined || wanted === 'all' || wanted.has(name)) tellSoon();
    };
    const opened = watch(directory, onNotice, {
      make: false,
      onRefused(error) {
        isRefused = true;
        watched.delete(directory);
        refuse(directory, error);
      },
    });
    if (isRefused) shut(opened);
    else watched.set(directory, { names, opened });
  }

  /** A watch stays with a directory that moves: one below a replaced directory is at the old place. The next look opens it. */
  function closeBelow(directory: string): void {
    for (const [each, { opened }] of watched) {
      if (!each.startsWith(join(directory, sep))) continue;
      watched.delete(each);
      shut(opened);
    }
  }

  function refuse(directory: string, error: NodeJS.ErrnoException): void {
    if (error.code === 'ENOENT') {
      // It was removed: look again from where it could come back.
      tellSoon();
    } else if (refused.get(directory) !== error.message) {
      refused.set(directory, error.message);
      onRefused(directory, error);
    }
  }

  look();
  return {
    refused: () => refused,
    close() {
      for (const { opened } of watched.values()) shut(opened);
      watched.clear();
      clearTimeout(timer);
    },
  };
}

function tooManyDirectories(count: number): string {
  return `${counted(count, 'directory', 'directories')} more than the ${MOST_DIRECTORIES} that devflow watches`;
}

/** With `make: false` opening never fails. */
function shut(opened: Promise<DirectoryWatch>): void {
  void opened.then((watching) => watching.close());
}
