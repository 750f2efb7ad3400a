import type { ConsentView } from '../repository/consent.ts';
import type { State } from './state.ts';

/** A person's decision about what a repository's settings run. */
export const CONSENT_STATES: Readonly<Record<ConsentView['state'], State>> = {
  unknown: {
    sign: '?',
    word: 'not allowed yet',
    look: 'ask',
    means: 'Nobody decided about exactly this, so runs do without it.',
    asks: 'Allow it or forbid it.',
  },
  allowed: { sign: '✓', word: 'allowed', look: 'good', means: 'You allowed exactly this.', asks: null },
  forbidden: {
    sign: '✗',
    word: 'forbidden',
    look: 'quiet',
    means: 'You said never, so devflow does not ask again.',
    asks: null,
  },
};
