import type { FailureWords } from './failureSigns.ts';

// Texts and signs of Gemini CLI, 0.61.0. A new word is one line.

export const WORKING_TITLE = /^[✦⏲]/u;
export const ASKING_TITLE = /^✋/u;
export const RESTING_TITLE = /^◇/u;

export const WORKING: readonly RegExp[] = [/\(esc to cancel(?:, |\))/];

export const DIALOGS: readonly (readonly [RegExp, string])[] = [
  [/Do you trust (?:the files in )?this folder/, 'trust'],
  [/How would you like to authenticate|Enter Gemini API Key|Waiting for auth/i, 'login'],
  [/experiencing high demand/, 'overload'],
  [/Action Required|Apply this change\?|Allow execution of/, 'permission'],
  [/^[│\s]*● \d+\. /m, 'choice'],
];

/** Gemini takes no input until a person has chosen whether to retry: the turn goes on only then. */
export const LIMIT_DIALOGS: readonly RegExp[] = [/Usage limit reached/, /exhausted your (?:capacity|daily quota)/];

export const FAILURE_WORDS: FailureWords = { refill: 'see /stats model in its pane', logIn: [/\b403\b/] };
