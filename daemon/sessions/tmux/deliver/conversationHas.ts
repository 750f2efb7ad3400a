import { closeSync, fstatSync, globSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { promptEnd, promptsIn } from '../../../../schemas/envelope.ts';
import { openRegular } from '../../../../schemas/files/openRegular.ts';

export interface RecordFacts {
  /** Where a hook said that the record is. */
  transcriptPath?: string;
  /** Where it should be by the program's rules, as a glob below a directory. */
  expected?: { within: string; pattern: string };
}

/** Whether the record of the conversation contains the prompt; undefined if that is unknown. */
export function searchRecord({ transcriptPath, expected }: RecordFacts, uuid: string): boolean | undefined {
  return conversationHas(transcriptPath, uuid) ?? recordShows(expected, uuid);
}

const SEARCHED_BYTES = 16 * 1024 * 1024;

/**
 * Whether the agent's own record of the conversation contains the prompt; undefined if it cannot be read. Only its last
 * 16 MB are searched.
 */
export function conversationHas(path: string | undefined, uuid: string): boolean | undefined {
  if (path === undefined) return undefined;
  const opened = openRegular(path, { follow: true });
  // Some programs write it with the first prompt.
  if (!opened.ok) return opened.missing ? false : undefined;
  const { fd } = opened;
  try {
    const { size } = fstatSync(fd);
    const buffer = Buffer.alloc(Math.min(size, SEARCHED_BYTES));
    const length = readSync(fd, buffer, 0, buffer.length, size - buffer.length);
    return linesWith(buffer.subarray(0, length), promptEnd(uuid)).some((line) =>
      promptsIn(line).some((prompt) => prompt.uuid === uuid),
    );
  } finally {
    closeSync(fd);
  }
}

/** A line is one message. Others may mention only the beginning of a prompt. */
function linesWith(bytes: Buffer, text: string): string[] {
  const lines: string[] = [];
  for (let at = bytes.indexOf(text); at >= 0; ) {
    const end = bytes.indexOf(0x0a, at);
    const to = end < 0 ? bytes.length : end;
    lines.push(bytes.toString('utf8', bytes.lastIndexOf(0x0a, at) + 1, to));
    at = bytes.indexOf(text, to);
  }
  return lines;
}

/**
 * The same for a record that no hook named. A miss proves nothing: another release may store it elsewhere, and a queued
 * prompt is not in it yet.
 */
export function recordShows(record: { within: string; pattern: string } | undefined, uuid: string): true | undefined {
  if (record === undefined) return undefined;
  const { within, pattern } = record;
  return globSync(pattern, { cwd: within }).some((path) => conversationHas(join(within, path), uuid)) || undefined;
}
