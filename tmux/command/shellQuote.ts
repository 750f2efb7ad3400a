import { TmuxError } from './errors.ts';

/** Quotes one word for `sh`. Throws `bad_argument` for NUL, which no argument can contain. */
export function shellQuote(word: string): string {
  if (word.includes('\0')) throw new TmuxError('bad_argument', 'An argument cannot contain NUL.');
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
