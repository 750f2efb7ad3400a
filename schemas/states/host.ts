import type { HostState } from '../enums.ts';
import { type State, stateOf } from './state.ts';

export const HOST_STATES: Readonly<Record<HostState, State>> = {
  ready: { sign: '●', word: 'up', look: 'good', means: 'its daemon answers', asks: null },
  waiting: {
    sign: '!',
    word: 'no Temporal',
    look: 'bad',
    means: 'its daemon runs, but Temporal does not answer it: what runs there goes on, and nothing new begins',
    asks: 'Look at the Temporal server. `devflow status` says where it is, and what is wrong.',
  },
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

/** The server of the engine, for people: `Temporal at host:7233 does not answer (…), since 2026-11-27T01:02:03.000Z`. */
export function serverAwayWords({
  address,
  away,
}: {
  address: string;
  away: { since: string; reason: string };
}): string {
  return `Temporal at ${address} ${away.reason}, since ${away.since}`;
}

/** The meaning for a person. */
export const WITHOUT_SERVER = 'What runs goes on; nothing new begins until it is back.';
