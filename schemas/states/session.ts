import type { ShownSessionState } from '../enums.ts';
import { type State, stateOf } from './state.ts';

export const SESSION_STATES: Readonly<Record<ShownSessionState, State>> = {
  CREATED: { sign: '·', word: 'created', look: 'quiet', means: 'devflow creates its pane', asks: null },
  BOOTSTRAPPING: { sign: '◌', word: 'starting', look: 'busy', means: 'its program starts', asks: null },
  READY: { sign: '○', word: 'ready', look: 'good', means: 'it waits for work', asks: null },
  BUSY: { sign: '●', word: 'busy', look: 'busy', means: 'it works', asks: null },
  WAITING_FOR_APPROVAL: {
    sign: '?',
    word: 'asks',
    look: 'ask',
    means: 'it asks a person in its pane',
    asks: 'Answer it there: `A` in the dashboard, `prefix J` in tmux, or `devflow attach`.',
  },
  ARTIFACT_TIMEOUT: {
    sign: '!',
    word: 'overdue',
    look: 'ask',
    means: 'its file is late; devflow asks for it again',
    asks: null,
  },
  HUNG: { sign: '!', word: 'hung', look: 'bad', means: 'it makes no progress; devflow restarts it', asks: null },
  CRASHED: { sign: '✗', word: 'crashed', look: 'bad', means: 'its program ended; devflow resumes it', asks: null },
  RESUMING: { sign: '◌', word: 'resuming', look: 'busy', means: 'its program starts again', asks: null },
  REBOOTSTRAPPED: {
    sign: '○',
    word: 'restarted',
    look: 'good',
    means: 'its conversation was restarted',
    asks: null,
  },
  FAILED_NEEDS_HUMAN: {
    sign: '!',
    word: 'needs you',
    look: 'ask',
    means: 'devflow cannot recover it',
    asks: 'Read why (`devflow why <session>`), then decide the recovery gate of its run.',
  },
  ENDED: { sign: '·', word: 'ended', look: 'quiet', means: 'its run or its lane has ended', asks: null },
};

export function sessionState(state: ShownSessionState): State {
  return stateOf(SESSION_STATES, state);
}
