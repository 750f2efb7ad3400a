import type { FindingSeverity, FindingState } from '../enums.ts';
import type { State } from './state.ts';

export const FINDING_STATES: Readonly<Record<FindingState, State>> = {
  unverified: { sign: '·', word: 'reported', look: 'quiet', means: 'a reviewer reported it', asks: null },
  confirmed: { sign: '!', word: 'confirmed', look: 'bad', means: 'the defect is real', asks: null },
  disputed: {
    sign: '?',
    word: 'disputed',
    look: 'ask',
    means: 'the verifier could not prove its answer',
    asks: 'Decide the gate `review_dispute`, if it is open: screen 2, or `devflow approval list`.',
  },
  fixed: { sign: '✓', word: 'fixed', look: 'good', means: 'a fix is committed and reviewed', asks: null },
  accepted: { sign: '–', word: 'accepted', look: 'quiet', means: 'you let the change pass with it', asks: null },
  rejected: { sign: '✗', word: 'rejected', look: 'quiet', means: 'it is no defect', asks: null },
  duplicate: { sign: '=', word: 'duplicate', look: 'quiet', means: 'another finding is the same defect', asks: null },
};

/** From the least to the most severe. */
export const FINDING_SEVERITIES: Readonly<Record<FindingSeverity, State>> = {
  info: { sign: '·', word: 'info', look: 'quiet', means: 'a remark; nothing is wrong', asks: null },
  low: { sign: '▂', word: 'low', look: 'quiet', means: 'a nuisance', asks: null },
  medium: { sign: '▄', word: 'medium', look: 'ask', means: 'wrong results in rare cases', asks: null },
  high: { sign: '▆', word: 'high', look: 'bad', means: 'wrong results in ordinary use', asks: null },
  critical: {
    sign: '█',
    word: 'critical',
    look: 'bad',
    means: 'data loss, a security hole, or broken for everybody',
    asks: null,
  },
};
