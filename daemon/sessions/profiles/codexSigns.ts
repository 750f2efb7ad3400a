import type { FailureWords } from './failureSigns.ts';

// Texts and signs of Codex, 0.169.0. A new word is one line.

export const WORKING_TITLE = /^[\u2800-\u28ff]/;

export const WORKING: readonly RegExp[] = [/Working \(.*esc to interrupt/];

/** The last row while it holds a prompt until it has started. Old characters stay where the text has gaps. */
export const HOLDING = /Waiting for startup.*esc.*cancel/;

export const DIALOGS: readonly (readonly [RegExp, string])[] = [
  [/Would you like to run the following command/, 'permission'],
  [/Try new model|try new model/, 'new model'],
  [/^\s*Trust this folder\?|Do you trust the contents|trust the files in this folder/m, 'trust'],
  // `Open restricted`: devflow told it not to trust.
  [/^\s*Folder access\s*$/m, 'restricted folder'],
  [/Hooks need review/, 'hooks'],
  [/Sign in with ChatGPT/, 'login'],
  [/^\s*› 1\. /m, 'choice'],
];

/** Rows that end a turn and are no failure: Esc. */
export const NO_FAILURE: readonly RegExp[] = [/^■ Conversation interrupted/];

export const FAILURE_WORDS: FailureWords = { refill: 'see https://chatgpt.com/settings/usage, or /status in its pane' };
