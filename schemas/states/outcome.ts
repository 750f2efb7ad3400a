import type { RunOutcome } from '../rpc/views/outcome.ts';
import { type State, stateOf } from './state.ts';

const FINDINGS = 'See the findings: `devflow run findings`.';

/** What a completed review says about the change, in place of its state. */
export const REVIEW_OUTCOMES: Readonly<Record<RunOutcome['word'], State>> = {
  passed: { sign: '✓', word: 'passed', look: 'good', means: 'a review found nothing against the change', asks: null },
  blocked: {
    sign: '✗',
    word: 'blocked',
    look: 'bad',
    means: 'so many findings and failed checks keep the reviewed change from passing',
    asks: FINDINGS,
  },
  accepted: {
    sign: '–',
    word: 'accepted',
    look: 'quiet',
    means: 'a person let the reviewed change pass with open findings',
    asks: FINDINGS,
  },
  rehearsal: {
    sign: '–',
    word: 'rehearsal',
    look: 'quiet',
    means: 'fake was among the reviewers, so nothing is known about the change',
    asks: 'Review it with a real agent: `devflow review --backend reviewer=claude`.',
  },
};

export function outcomeState({ word, blockers }: RunOutcome): State {
  const state = stateOf(REVIEW_OUTCOMES, word);
  return word === 'blocked' && blockers > 0 ? { ...state, word: `${state.word} by ${blockers}` } : state;
}
