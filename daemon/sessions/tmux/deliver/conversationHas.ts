import { closeSync, fstatSync, readSync } from 'node:fs';
import { promptEnd, promptsIn } from '../../../../schemas/envelope.ts';
import { openRegular } from '../../../../schemas/files/openRegular.ts';
import { recordsIn } from '../observe/findRecord.ts';
import type { RecordPlace } from '../profile/profile.ts';

export interface RecordFacts {
  /** The path of the record that a hook reported. */
  transcriptPath?: string;
  /** The place of the record by the program's rules. */
  expected?: RecordPlace;
}

/** True if the record of the conversation contains the prompt; undefined if that is unknown. */
export function searchRecord({ transcriptPath, expected }: RecordFacts, uuid: string): boolean | undefined {
  return conversationHas(transcriptPath, uuid) ?? recordShows(expected, uuid);
}

const SEARCHED_BYTES = 16 * 1024 * 1024;

/**
 * True if the agent's own record of the conversation contains the prompt; undefined if it cannot be read. Only its last
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
export function recordShows(place: RecordPlace | undefined, uuid: string): true | undefined {
  if (place === undefined) return undefined;
  return recordsIn(place).some((path) => conversationHas(path, uuid)) || undefined;
}
