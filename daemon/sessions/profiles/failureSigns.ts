import type { AgentState } from '../tmux/profile/evidence.ts';
import { resetTime } from './resetTime/resetTime.ts';

/** Words of a sentence that says why a turn failed, of any program. A new word is one line. */
const LIMIT: readonly RegExp[] = [
  /\b429\b/,
  /too many requests/i,
  /usage limit/i,
  /rate.?limit/i,
  /\blimit reached\b/i,
  /quota/i,
  /RESOURCE_EXHAUSTED/,
  /spend(?:ing)? (?:cap|limit)/i,
  /out of (?:\w+ )?(?:credits|usage)\b/i,
  /requires usage credits/i,
  /usage (?:allocation has been disabled|exceeded)/i,
  /seat type doesn['’]t include/i,
  /credit balance is too low/i,
  /upgrade to (?:Plus|Pro)\b/,
];

const LOG_IN: readonly RegExp[] = [
  /\b401\b/,
  /unauthorized|UNAUTHENTICATED|PERMISSION_DENIED/i,
  /\blog(?:ged)? ?in\b/i,
  /\bsign(?:ed)? in\b/i,
  /(?:access|refresh|oauth|auth) token/i,
  /invalid (?:x-)?api.key|api.key (?:not valid|is invalid)|API_KEY_INVALID/i,
];

/** Limits that no clock refills. */
const MONEY: readonly RegExp[] = [/credits?\b|spend|billing|balance|allocation|seat type|usage · |upgrade to/i];

export interface Failure {
  state: AgentState;
  detail: string;
  until?: number;
}

/** A program's own words, beside those that all share. */
export interface FailureWords {
  /** Where a person buys more. */
  refill: string;
  logIn?: readonly RegExp[];
}

/** `shownAt`: when the program wrote the sentence. */
export function failureOf(sentence: string, shownAt: number, words: FailureWords): Failure {
  if (isLimit(sentence)) return limitOf(sentence, shownAt, words);
  const needsLogIn = [...LOG_IN, ...(words.logIn ?? [])].some((pattern) => pattern.test(sentence));
  return { state: needsLogIn ? 'LOGIN' : 'ERROR', detail: sentence };
}

export function isLimit(sentence: string): boolean {
  return LIMIT.some((pattern) => pattern.test(sentence));
}

/** The sentence is about a limit, whatever its words. */
export function limitOf(sentence: string, shownAt: number, { refill }: FailureWords): Failure {
  const end = resetTime(sentence, shownAt);
  if (end !== undefined) return { state: 'QUOTA', detail: sentence, until: retryAt(end, shownAt) };
  const isMoney = MONEY.some((pattern) => pattern.test(sentence));
  return { state: 'QUOTA', detail: isMoney ? `${sentence} (${refill})` : sentence };
}

/** A program that names an end just past still refuses: try again soon, then more and more rarely. */
function retryAt(end: number, now: number): number {
  return end > now ? end : now + Math.max(SOONEST_MS, now - end);
}

const SOONEST_MS = 60_000;
