import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readRegularText } from '../../../../schemas/files/openRegular.ts';
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
 * devflow never creates it, and tries again at each `look`.
 */
export function watchStateFile(
  directory: string,
  read: (data: unknown) => StateReading | undefined,
  onChange: () => void,
): StateFiles {
  let mine: string | undefined;
  const watched = createPathWatch((name) => {
    // Other programs of the same kind write here too.
    const isOthers = mine !== undefined && name !== null && !name.startsWith(basename(mine));
    if (!isOthers || name === basename(directory)) onChange();
  });

  return {
    look() {
      watched.follow(directory);
      if (mine !== undefined) {
        const known = readLiving(mine, read);
        if (known) return known;
        mine = undefined;
      }
      for (const path of list(directory)) {
        const found = readLiving(path, read);
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
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(directory, name));
  } catch {
    return [];
  }
}

/** After a kill the file remains, and its pid may belong to another process. */
function readLiving(path: string, read: (data: unknown) => StateReading | undefined): StateReading | undefined {
  let reading: StateReading | undefined;
  try {
    reading = read(JSON.parse(readRegularText(path, MOST_BYTES, { follow: true }) ?? ''));
  } catch {
    return undefined;
  }
  if (!reading) return undefined;
  const started = startTimeOf(reading.pid);
  const isSame = started !== undefined && (reading.procStart === undefined || reading.procStart === started);
  return isSame ? reading : undefined;
}
