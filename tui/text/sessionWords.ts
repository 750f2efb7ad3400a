import type { ShownSessionState, StallCause } from '../../schemas/enums.ts';
import type { StallView } from '../../schemas/rpc/views/session.ts';
import { clock } from './age.ts';
import { type Line, line } from './line.ts';
import { type StateWord, stateSpan, wordOf } from './stateWord.ts';
import { theme } from './theme.ts';

const STATES: Readonly<Record<ShownSessionState, StateWord>> = {
  CREATED: ['·', 'created', theme.muted],
  BOOTSTRAPPING: ['◌', 'starting', theme.accent],
  READY: ['○', 'ready', theme.good],
  BUSY: ['●', 'busy', theme.accent],
  WAITING_FOR_APPROVAL: ['?', 'asks', theme.warn],
  ARTIFACT_TIMEOUT: ['!', 'overdue', theme.warn],
  HUNG: ['!', 'hung', theme.bad],
  CRASHED: ['✗', 'crashed', theme.bad],
  RESUMING: ['◌', 'resuming', theme.accent],
  REBOOTSTRAPPED: ['○', 'restarted', theme.good],
  FAILED_NEEDS_HUMAN: ['✗', 'needs you', theme.bad],
  ENDED: ['·', 'ended', theme.muted],
};

/** What an agent does, as lists show it. */
export function sessionStateWord(state: ShownSessionState): Line {
  return line(stateSpan(wordOf(STATES, state)));
}

const CAUSES: Readonly<Record<StallCause, string>> = {
  permission: 'asks for your permission',
  question: 'asks you',
  dialog: 'shows a dialog that only a person can answer',
  draft: 'waits: somebody has begun to write in its composer',
  quota: 'has used up its quota',
  error: 'ended its turn in an error',
  idle: 'does nothing',
  login: 'must be logged in',
  hung: 'makes no progress',
};

/** What keeps an agent from going on, as the rest of a sentence that begins with its name. */
export function stallWords({ cause, detail, until }: StallView, now: number): string {
  const about = detail === '' || cause === 'draft' ? '' : `: ${detail}`;
  return `${CAUSES[cause] ?? cause}${about}${until === null ? '' : `, until ${clock(until, now)}`}`;
}

/** Of these nothing goes on until a person does something in the pane. */
const FOR_A_PERSON: readonly StallCause[] = ['permission', 'question', 'dialog', 'draft', 'login'];

export function waitsForPerson(stall: StallView | null): stall is StallView {
  return stall !== null && FOR_A_PERSON.includes(stall.cause);
}
