import { momentIn } from './moment.ts';
import { waitIn } from './wait.ts';

/** Words before the end of a limit, and what may stand between them and it. */
const INTRODUCTION =
  /\b(?:resets?|(?:try|available|back) again|retry(?:ing)?|(?:continu(?:e|es|ing) )?automatically|renews?|refreshes)\b:?(?: (?=(?:in|after|at|on)\b)| )/gi;

/**
 * The end of a limit in milliseconds since 1970, as a program writes it: `resets Dec 3, 9am (Europe/Berlin)`, `reset
 * after 21h56m44s`, `try again at Dec 3rd, 2026 9:05 AM`. It may lie up to an hour in the past. Undefined if the text
 * names none, or one too far ahead. `now` is when the program wrote it.
 */
export function resetTime(text: string, now: number): number | undefined {
  for (const { index, 0: words } of text.matchAll(INTRODUCTION)) {
    const rest = text.slice(index + words.length);
    const wait = waitIn(rest);
    const end = wait === undefined ? momentIn(rest, now) : now + wait;
    if (end !== undefined && end <= now + FARTHEST_MS) return end;
  }
  return undefined;
}

/** No limit lasts longer. A date without a year that would lie farther ahead is over. A huge wait is no date at all. */
const FARTHEST_MS = 200 * 24 * 60 * 60_000;
