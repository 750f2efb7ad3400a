import { closeSync, fstatSync, globSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { openRegular } from '../../../../schemas/files/openRegular.ts';

/** What tells a prompt of ours in whatever an agent shows or stores of it. */
export function promptMarker(uuid: string): string {
  return `DEVFLOW_PROMPT_BEGIN ${uuid}`;
}

const SEARCHED_BYTES = 16 * 1024 * 1024;

/** Whether the agent's own record of the conversation has the prompt; its last 16 MB are searched. */
export function conversationHas(path: string | undefined, uuid: string): boolean | undefined {
  if (path === undefined) return undefined;
  const opened = openRegular(path, { follow: true });
  // Some write it with the first prompt.
  if (!opened.ok) return false;
  const { fd } = opened;
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, SEARCHED_BYTES));
    const length = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return buffer.subarray(0, length).includes(`"${promptMarker(uuid)}`);
  } finally {
    closeSync(fd);
  }
}

/**
 * The same of a record that no hook named. What is not found there proves nothing: another release may keep it elsewhere,
 * and what a program has queued is not in it yet.
 */
export function recordShows(record: { within: string; pattern: string } | undefined, uuid: string): true | undefined {
  if (record === undefined) return undefined;
  const { within, pattern } = record;
  return globSync(pattern, { cwd: within }).some((path) => conversationHas(join(within, path), uuid)) || undefined;
}
