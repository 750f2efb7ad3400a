import type { HostState } from '../enums.ts';
import { type State, stateOf } from './state.ts';

export const HOST_STATES: Readonly<Record<HostState, State>> = {
  ready: { sign: '●', word: 'up', look: 'good', means: 'its daemon answers', asks: null },
  stopped: {
    sign: '○',
    word: 'stopped',
    look: 'quiet',
    means: 'devflow was stopped there, and its runs wait',
    asks: 'Start it there: `devflow up`.',
  },
  silent: {
    sign: '!',
    word: 'silent',
    look: 'bad',
    means: 'its daemon has shown no sign of life for some seconds; its runs wait',
    asks: 'Look at that machine. Once it runs again, `devflow up` there lets its runs continue.',
  },
};

export function hostState({ state }: { state: HostState }): State {
  return stateOf(HOST_STATES, state);
}
