import type { StallCause } from '../enums.ts';
import { agentName } from '../mainLane.ts';
import { type State, stateOf } from './state.ts';

/** Everything devflow knows about a cause: how it is worded, who ends it, and what follows. */
export interface Stall extends State {
  /**
   * `answer`: a person answers in the agent's pane, and the agent continues. `person`: a person does something else there.
   * `time`: it ends at a time. `devflow`: devflow restarts the agent.
   */
  readonly endedBy: 'answer' | 'person' | 'time' | 'devflow';
  /** The person's action in the pane; null where nobody has to act. */
  readonly todo: string | null;
  /** devflow's next action, as the end of a sentence. */
  readonly next: (until: string | null) => string;
  /** The agent's turn is over. An agent without work is then not stalled. */
  readonly endsTurn: boolean;
  /** devflow sends the prompt again afterwards. */
  readonly resendsPrompt: boolean;
  /** The verdict of `session.why`; null where the stall says nothing about the agent. */
  readonly verdict: 'waiting' | 'quota' | 'error' | 'login' | 'hung' | null;
}

/** Each word follows the agent's name: `planner asks for permission`. */
export const STALLS: Readonly<Record<StallCause, Stall>> = {
  permission: {
    ...endedInPane('answer', 'Answer it'),
    word: 'asks for permission',
    means: 'its program asks before it does something',
    verdict: 'waiting',
  },
  question: {
    ...endedInPane('answer', 'Answer it'),
    word: 'asks a question',
    means: 'the agent needs an answer from you',
    verdict: 'waiting',
  },
  dialog: {
    ...endedInPane('answer', 'Answer it'),
    word: 'shows a dialog',
    means: 'its program shows a dialog that only a person can answer',
    verdict: 'waiting',
  },
  draft: {
    ...endedInPane('person', 'Send the draft or delete it'),
    word: 'has an unsent draft',
    means: 'someone left unsent text in its input field',
    verdict: 'waiting',
  },
  login: {
    ...endedInPane('person', 'Log in'),
    word: 'must be logged in',
    means: 'its program is not logged in',
    verdict: 'login',
  },
  quota: {
    ...endedWithoutPerson('time'),
    sign: '○',
    word: 'has reached its usage limit',
    look: 'quiet',
    means: 'devflow asks again when the limit ends',
    next: (until) => (until ? `; it waits until ${instant(until)}` : '; its end is unknown'),
    resendsPrompt: true,
    verdict: 'quota',
  },
  error: {
    ...endedWithoutPerson('time'),
    word: 'ended its turn with an error',
    look: 'ask',
    means: 'devflow asks again after a while',
    next: (until) => `; devflow prompts it again${until ? ` at ${instant(until)}` : ''}`,
    endsTurn: true,
    resendsPrompt: true,
    verdict: 'error',
  },
  idle: {
    ...endedWithoutPerson('time'),
    word: 'ended its turn without its file',
    look: 'ask',
    means: 'devflow shows you its last words at a gate, and reminds it once',
    next: () => '; devflow reminds it after a while',
    endsTurn: true,
    verdict: null,
  },
  turn_over: {
    ...endedInPane('person', 'Write to it'),
    sign: '‹',
    word: 'has ended its turn',
    means: 'its turn is over, and the agent waits for you',
    verdict: null,
  },
  hung: {
    ...endedWithoutPerson('devflow'),
    word: 'makes no progress',
    look: 'bad',
    means: 'devflow restarts it',
    next: () => '',
    verdict: 'hung',
  },
};

function endedInPane(endedBy: 'answer' | 'person', todo: string) {
  const asks = `${todo} in its pane: \`A\` in the dashboard, \`prefix J\` in tmux, or \`devflow attach\`.`;
  return {
    sign: '?',
    look: 'ask',
    asks,
    endedBy,
    todo,
    next: () => `; ${lowerFirst(todo)} in its pane`,
    endsTurn: false,
    resendsPrompt: false,
  } as const;
}

function endedWithoutPerson(endedBy: 'time' | 'devflow') {
  return { sign: '!', asks: null, endedBy, todo: null, endsTurn: false, resendsPrompt: false } as const;
}

export function stallState(cause: StallCause): State {
  return stateOf<StallCause>(STALLS, cause);
}

/** True for an agent whose turn is over, whoever leads it. */
export function isTurnOver(cause: StallCause): boolean {
  return cause === 'idle' || cause === 'turn_over';
}

/** True where only a person, at the agent's pane, can make it continue. */
export function needsPerson(cause: StallCause): boolean {
  return endedBy(cause) === 'answer' || endedBy(cause) === 'person';
}

/** True where the agent asks something that a person answers in its pane. */
export function isAnsweredInPane(cause: StallCause): boolean {
  return endedBy(cause) === 'answer';
}

/** True where the agent continues at a time, without a person. */
export function endsWithTime(cause: StallCause): boolean {
  return endedBy(cause) === 'time';
}

/** True where devflow sends the prompt again afterwards. */
export function resendsPrompt(cause: StallCause): cause is 'quota' | 'error' {
  return STALLS[cause].resendsPrompt;
}

/** A newer daemon may know causes that this client does not. */
function endedBy(cause: StallCause): Stall['endedBy'] | undefined {
  return Object.hasOwn(STALLS, cause) ? STALLS[cause].endedBy : undefined;
}

/** A stall as the rest of a sentence that begins with the agent's name. `time` writes when it ends. */
export function stallWords(
  { cause, detail, until }: { cause: StallCause; detail: string; until: string | null },
  time: (iso: string) => string,
): string {
  // A person wrote the draft; what to do with it says more than its detail.
  const facts = cause === 'draft' ? lowerFirst(STALLS.draft.todo ?? '') : detail;
  const end = until === null ? '' : `, until ${time(until)}`;
  return `${stallState(cause).word}${facts === '' ? '' : `: ${facts}`}${end}`;
}

/** A stall as a whole sentence for a person: who, what, and what to do or what comes next. */
export function stallSentence(session: {
  id: string;
  roleId: string;
  laneId: string;
  backend: string;
  stall: { cause: StallCause; detail: string; until: string | null };
}): string {
  const { id, backend, stall } = session;
  const { word, next } = STALLS[stall.cause];
  const where = needsPerson(stall.cause) ? `: devflow attach ${id.slice(0, 8)}` : '';
  return `${agentName(session)} (${backend}) ${word}: ${stall.detail}${next(stall.until)}${where}`;
}

/** `2026-11-21 14:05:00 UTC`. Recorded sentences are in UTC; clients show them in local time. */
function instant(iso: string): string {
  return `${iso.slice(0, 19).replace('T', ' ')} UTC`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
