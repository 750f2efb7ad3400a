import type { AgentState } from '../tmux/profile/evidence.ts';
import type { FailureWords } from './failureSigns.ts';

// Texts and signs of Claude Code, 2.1.197 to 2.1.332. A new word is one line.

/** Titles while it works: a character of braille, `◐` and `◑` since 2.1.332. `✳` is rest. */
export const WORKING_TITLE = /^[\u2800-\u28ff◐◑◒◓]/;
export const RESTING_TITLE = /^✳/;

/**
 * Busy: `✢ Orchestrating…`, after some seconds `* Orchestrating… (5s · ↓ 58 tokens)`. Claude retries a failed request
 * up to ten times: `✻ API error · Retrying in 4s · attempt 4/10`. A finished turn shows `✻ Crunched for 3s`. Its
 * messages also begin with `●`, so there the time must follow.
 */
export const WORKING: readonly RegExp[] = [
  /^[·✢*∗✳✶✻✽◐◑] [^…]+…(?: |$)/,
  /^[·✢*∗✳✶✻✽◐◑●] API error · Retrying/,
  /^● [^…]+… \(\d+[smh]/,
  // The limit is over.
  /^ +Continuing shortly · /,
];

export const DIALOGS: readonly (readonly [RegExp, string])[] = [
  [/Quick safety check/, 'trust'],
  [/Select login method|Not logged in/, 'login'],
  [/Do you want to /, 'permission'],
  [/Enter to select/, 'question'],
  [/^\s*❯ 1\. /m, 'choice'],
];

/** Sentences of a limit, the most telling first. The program's own list of 2.1.332 is the measure. */
export const LIMITS: readonly RegExp[] = [
  /\b(?:hit|reached) your .*(?:limit|usage|credits)/,
  /\bout of (?:extra usage|usage)\b/,
  /(?:weekly|hour|session|daily|opus|sonnet|fable) limit reached/i,
  /seat type doesn't include/,
  /usage (?:allocation has been disabled|limit is set to)/,
  /\b\w+(?: [\d.]+)? requires usage credits/,
  /credit balance is too low/i,
  /usage limit reached/i,
];

/** The menu that opens with a limit: the limit itself, no question about the work. */
export const LIMIT_MENU = /^\s*What do you want to do\?/m;
export const LIMIT_CHOICE =
  /wait for limit to reset|wait here, then continue|upgrade your plan|usage credits|for more usage|switch to /i;

/** It goes on by itself when the limit ends. */
export const CONTINUES = /\bContinuing automatically\b/i;

export const FAILURE_WORDS: FailureWords = { refill: 'see /usage in its pane' };

/**
 * Some seconds after its start, alone at the right above the composer or below it. The state file says idle, but a
 * prompt would fail. 2.1.197 writes `Run /login`, 2.1.332 `run /login`.
 */
export const LOGGED_OUT =
  /(?:^| {4,})((?:Not logged in|Login expired|OAuth token revoked) · (?:please )?run \/login)\s*$/i;

/** The `error` of the hook StopFailure. Other errors are judged by their sentence. */
export const FAILURES: Readonly<Record<string, AgentState>> = {
  rate_limit: 'QUOTA',
  billing_error: 'QUOTA',
  authentication: 'LOGIN',
  authentication_failed: 'LOGIN',
  oauth_org_not_allowed: 'LOGIN',
  account_on_hold: 'LOGIN',
  verification_required: 'LOGIN',
  cloud_credential_error: 'LOGIN',
};
