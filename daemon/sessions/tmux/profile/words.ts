import type { Reading } from './profile.ts';

/** What a program reports as the last message of a turn. */
export function wordsOf(message: unknown): Pick<Reading, 'words'> {
  return typeof message === 'string' && message.trim() !== '' ? { words: message } : {};
}
