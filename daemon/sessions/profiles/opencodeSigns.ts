import type { FailureWords } from './failureSigns.ts';

// Texts and signs of opencode, 1.18.33 and 1.18.34. A new word is one line.

/** They cover the composer. */
export const OVERLAYS: readonly (readonly [RegExp, string])[] = [
  [/Permission required/, 'permission'],
  [/Connect a provider/, 'login'],
  [/Update (?:Available|Complete)/i, 'update'],
];

/** Only without a composer. */
export const DIALOGS: readonly (readonly [RegExp, string])[] = [
  [/enter (?:submit|confirm|select)\b/, 'question'],
  [/\besc\s*$/m, 'dialog'],
];

export const WORKING: readonly RegExp[] = [/\besc (?:again to )?interrupt\b/, /\[retrying /];

/** The row of a limit, from its first word on. */
export const RETRIED_LIMIT = /(?=[^\s⬝■]).*?(?:quota|limit|exceeded|\b429\b).*\[retrying [^\]]*\]/iu;

/** A wait of this form is longer than a minute. */
export const LONG_RETRY = /\[retrying in (?:~|\d+ ?[mhd])/;

/** It waits for these as for a limit, if the model names a time. */
export const WAITED_FOR: readonly RegExp[] = [/overloaded/i];

export const FAILURE_WORDS: FailureWords = { refill: 'see the account of its provider', logIn: [/api key/i] };
