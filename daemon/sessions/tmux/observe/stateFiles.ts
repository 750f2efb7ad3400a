import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegularText } from '../../../../schemas/files/openRegular.ts';
import { orElse } from '../../../../schemas/orElse.ts';
import { processCalled } from '../../../../tmux/process/namespaces.ts';
import { startTimeOf } from '../../../../tmux/process/processes.ts';
import type { StateReading } from '../profile/profile.ts';
import { createPathWatch } from './pathWatch.ts';

/** More than any state file needs; a larger file is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface StateFiles {
  /** The reading of the file now; undefined if no living process has one. */
  look(): StateReading | undefined;
  close(): void;
}

/**
 * Watches the file in which a program reports its state. The directory belongs to the program and may appear later:
 * devflow never creates it, and tries again at each `look`. `leader`: the first process of the program's pane.
 */
export function watchStateFile(
  directory: string,
  read: (data: unknown) => StateReading | undefined,
  onChange: () => void,
  leader?: number,
): StateFiles {
  let mine: string | undefined;
  const find = leader === undefined ? () => undefined : createFinder(leader);
  const watched = createPathWatch((name) => {
    // Other programs of the same kind write here too.
    const isOthers = mine !== undefined && name !== null && !name.startsWith(basename(mine));
    if (!isOthers || name === basename(directory)) onChange();
  });

  return {
    look() {
      watched.follow(directory);
      if (mine !== undefined) {
        const known = readLiving(mine, read, find);
        if (known) return known;
        mine = undefined;
      }
      for (const path of list(directory)) {
        const found = readLiving(path, read, find);
        if (!found) continue;
        mine = path;
        return found;
      }
      return undefined;
    },
    close: () => watched.close(),
  };
}

function list(directory: string): string[] {
  const names = orElse(() => readdirSync(directory), []).filter((name) => name.endsWith('.json'));
  return names.map((name) => join(directory, name));
}

/** After a kill the file remains, and its pid may belong to another process. */
function readLiving(
  path: string,
  read: (data: unknown) => StateReading | undefined,
  findInside: FindInside,
): StateReading | undefined {
  const reading = orElse(() => read(JSON.parse(readRegularText(path, MOST_BYTES, { follow: true }) ?? '')));
  if (!reading) return undefined;
  if (isLiving(reading.pid, reading)) return reading;
  const pid = findInside(reading);
  return pid !== undefined && isLiving(pid, reading) ? reading : undefined;
}

function isLiving(pid: number, { procStart }: StateReading): boolean {
  const started = startTimeOf(pid);
  return started !== undefined && (procStart === undefined || procStart === started);
}

/** The pid outside of a program in a sandbox, which reports its pid inside. */
type FindInside = (reading: StateReading) => number | undefined;

/** Remembers what it found, because it looks through all processes. */
function createFinder(leader: number): FindInside {
  let known: { inside: number; outside: number } | undefined;
  return (reading) => {
    if (known?.inside === reading.pid && isLiving(known.outside, reading)) return known.outside;
    const outside = processCalled(reading.pid, leader);
    known = outside === undefined ? undefined : { inside: reading.pid, outside };
    return outside;
  };
}
