import type { MessageState } from '../rpc/views/message.ts';
import { type State, stateOf } from './state.ts';

export const MESSAGE_STATES: Readonly<Record<MessageState, State>> = {
  queued: { sign: '◌', word: 'queued', look: 'busy', means: 'its agent gets it when it is free', asks: null },
  sent: { sign: '✓', word: 'sent', look: 'good', means: 'its agent has it', asks: null },
  withdrawn: { sign: '–', word: 'taken back', look: 'quiet', means: 'you took it back in time', asks: null },
  uncertain: {
    sign: '?',
    word: 'in doubt',
    look: 'ask',
    means: 'it failed, or nobody knows whether it arrived; later messages wait',
    asks: 'Look into the pane of its agent, then say it: `devflow message settle <message> --taken` or `--again`.',
  },
  dropped: { sign: '–', word: 'dropped', look: 'quiet', means: 'its run or its lane ended first', asks: null },
};

export function messageState({ state }: { state: MessageState }): State {
  return stateOf<MessageState>(MESSAGE_STATES, state);
}
