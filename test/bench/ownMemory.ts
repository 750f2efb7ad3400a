import { readFileSync } from 'node:fs';

/** Megabytes that processes use. */
export interface OwnMemory {
  /** Memory that is in no file: heaps and stacks. What parent and child share is divided between them. */
  anonymous: number;
  /** Programs, libraries and shared memory, by the place in the file: the most that one of the processes has of it. */
  files: Map<string, number>;
}

/**
 * The memory of processes, from `/proc/<pid>/smaps`. Each file counts once, and other processes on the machine do not
 * matter: with other programs on the same Node, the usual proportional share would be too small.
 */
export function ownMemoryOf(pids: readonly number[]): OwnMemory {
  const memory: OwnMemory = { anonymous: 0, files: new Map() };
  for (const pid of pids) {
    for (const [, place = '', fields = ''] of smapsOf(pid).matchAll(MAPPING)) {
      const [resident, share, anonymous] = ['Rss', 'Pss', 'Anonymous'].map((name) => megabytesOf(fields, name)) as [
        number,
        number,
        number,
      ];
      if (resident === 0) continue;
      memory.anonymous += anonymous * (share / resident);
      if (anonymous < resident) keepMost(memory.files, place, resident - anonymous);
    }
  }
  return memory;
}

export function filesMegabytes(memories: readonly OwnMemory[]): number {
  const together = new Map<string, number>();
  for (const { files } of memories) for (const [place, size] of files) keepMost(together, place, size);
  return [...together.values()].reduce((sum, size) => sum + size, 0);
}

/** The offset, device, inode and path of a mapping, and its fields. */
const MAPPING = /^[\da-f]+-[\da-f]+ \S+ (.*)\n((?:[A-Z]\w+: .*\n)+)/gm;

function smapsOf(pid: number): string {
  return readFileSync(`/proc/${pid}/smaps`, 'utf8');
}

function megabytesOf(fields: string, name: string): number {
  return Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(fields)?.[1]) / 1024;
}

function keepMost(files: Map<string, number>, place: string, size: number): void {
  files.set(place, Math.max(size, files.get(place) ?? 0));
}
