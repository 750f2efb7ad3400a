import type { StallCause } from '../enums.ts';
import { type State, stateOf } from './state.ts';

const IN_ITS_PANE = '`A` in the dashboard, `prefix J` in tmux, or `devflow attach`.';

/** What keeps an agent from going on. Each word goes on after the agent's name: `planner asks for permission`. */
export const STALLS: Readonly<Record<StallCause, State>> = {
  permission: {
    sign: '?',
    word: 'asks for permission',
    look: 'ask',
    means: 'its program asks before it does something',
    asks: `Answer it in its pane: ${IN_ITS_PANE}`,
  },
  question: {
    sign: '?',
    word: 'asks a question',
    look: 'ask',
    means: 'the agent asks you something',
    asks: `Answer it in its pane: ${IN_ITS_PANE}`,
  },
  dialog: {
    sign: '?',
    word: 'shows a dialog',
    look: 'ask',
    means: 'its program shows a dialog that only a person can answer',
    asks: `Answer it in its pane: ${IN_ITS_PANE}`,
  },
  draft: {
    sign: '?',
    word: 'holds a draft',
    look: 'ask',
    means: 'somebody typed text into its composer',
    asks: `Send the draft with Enter, or delete it, in its pane: ${IN_ITS_PANE}`,
  },
  quota: {
    sign: '○',
    word: 'has reached its usage limit',
    look: 'quiet',
    means: 'devflow asks again when the limit ends',
    asks: null,
  },
  error: {
    sign: '!',
    word: 'ended its turn in an error',
    look: 'ask',
    means: 'devflow asks again after a while',
    asks: null,
  },
  idle: {
    sign: '!',
    word: 'does nothing',
    look: 'ask',
    means: 'its turn ended without its file; devflow asks again',
    asks: null,
  },
  login: {
    sign: '?',
    word: 'must be logged in',
    look: 'ask',
    means: 'its program is not logged in',
    asks: `Log in in its pane: ${IN_ITS_PANE}`,
  },
  hung: { sign: '!', word: 'makes no progress', look: 'bad', means: 'devflow restarts it', asks: null },
};

export function stallState(cause: StallCause): State {
  return stateOf(STALLS, cause);
}

/** True where only a person, at the agent's pane, can make it go on. */
export function needsPerson(cause: StallCause): boolean {
  return stallState(cause).asks !== null;
}

/** What keeps an agent from going on, as the rest of a sentence that begins with its name. `time` writes when it ends. */
export function stallWords(
  { cause, detail, until }: { cause: StallCause; detail: string; until: string | null },
  time: (iso: string) => string,
): string {
  // What it holds a person wrote; what to do with it is more.
  const about = cause === 'draft' ? ': send it with Enter, or delete it' : detail === '' ? '' : `: ${detail}`;
  return `${stallState(cause).word}${about}${until === null ? '' : `, until ${time(until)}`}`;
}
