import { TmuxError } from '../errors.ts';

/** One word for `sh`. Throws `bad_argument` for NUL, which no argument can carry. */
export function shellQuote(word: string): string {
  if (word.includes('\0')) throw new TmuxError('bad_argument', 'An argument cannot hold NUL.');
  return /^[A-Za-z0-9_./:@%+,=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
