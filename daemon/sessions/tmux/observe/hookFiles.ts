import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '../../../../schemas/files/openRegular.ts';
import { orElse } from '../../../../schemas/orElse.ts';
import { createReportedTimes } from '../../../../schemas/time/steadyTime.ts';
import { watchDirectory } from '../../../system/watchDirectory.ts';
import type { HookEvent } from '../profile/profile.ts';

/** More than any event needs; a larger file is not read. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface HookFiles {
  /** Reads new events; each event is reported once. */
  look(): void;
  /** The events read so far are recorded. Only the newest file stays, to tell the next daemon the state. */
  prune(): void;
  close(): void;
}

interface Found {
  name: string;
  at: number;
}

/** Reports each event once, in order, with its time by the steady clock, also events that exist already. */
export async function watchHooks(
  directory: string,
  onEvent: (event: HookEvent, at: number) => void,
): Promise<HookFiles> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  /** In the order in which they were read. */
  const seen = new Set<string>();
  const times = createReportedTimes();
  let closed = false;

  function look(): void {
    if (closed) return;
    for (const { name, at } of listNew(directory, seen)) {
      // The listener of an earlier event may have called `look`, and read this file already.
      if (seen.has(name)) continue;
      seen.add(name);
      const event = readEvent(join(directory, name), name, at);
      if (event) onEvent(event, times.steady(at));
    }
    times.looked();
  }

  const watching = await watchDirectory(directory, look, { make: false });
  return {
    look,
    prune() {
      look();
      for (const name of [...seen].slice(0, -1)) {
        rmSync(join(directory, name), { recursive: true, force: true });
        seen.delete(name);
      }
    },
    close() {
      closed = true;
      watching.close();
    },
  };
}

/** The events that are there, in order. */
export function readHooks(directory: string): HookEvent[] {
  return listNew(directory, new Set()).flatMap(({ name, at }) => readEvent(join(directory, name), name, at) ?? []);
}

export function removeHooks(directory: string): void {
  for (const { name } of listNew(directory, new Set())) rmSync(join(directory, name), { recursive: true, force: true });
}

function listNew(directory: string, seen: ReadonlySet<string>): Found[] {
  const names = orElse(() => readdirSync(directory), []);
  const fresh = names.filter((name) => name.endsWith('.json') && !name.startsWith('.') && !seen.has(name));
  return fresh
    .map((name) => ({ name, at: lstatSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.at - b.at);
}

/** Ignores a file that is no event or was removed. */
function readEvent(path: string, file: string, at: number): HookEvent | undefined {
  try {
    const data = JSON.parse(readRegularText(path, MOST_BYTES) ?? '');
    const name = file.split('.')[2] ?? '';
    return typeof data === 'object' && data !== null ? { name, at, data } : undefined;
  } catch {
    return undefined;
  }
}
