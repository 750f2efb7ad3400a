import { orElse } from '../../../../schemas/orElse.ts';
import type { Reading } from './profile.ts';

/** A program's report of the last message of a turn. */
export function wordsOf(message: unknown): Pick<Reading, 'words'> {
  return typeof message === 'string' && message.trim() !== '' ? { words: message } : {};
}

/**
 * A value of a hook or a record as a text. An agent can write such files, and `String` throws for some values that JSON
 * has, such as `{"toString":1}`.
 */
export function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}

/** A time as programs write it; not a number for anything else. */
export function timeOf(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

/** The values of a line of a record; none if the line is no JSON. */
export function valuesIn(line: string): Record<string, unknown> {
  return orElse(() => (JSON.parse(line) ?? {}) as Record<string, unknown>, {});
}
