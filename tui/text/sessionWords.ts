import type { ShownSessionState } from '../../schemas/enums.ts';
import type { StallView } from '../../schemas/rpc/views/session.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { needsPerson, stallWords as wordsOf } from '../../schemas/states/stall.ts';
import { type Line, line } from './line.ts';
import { stateSpan } from './stateSpan.ts';
import { clock } from './time.ts';

/** What an agent does, as lists show it. */
export function sessionStateWord(state: ShownSessionState): Line {
  return line(stateSpan(sessionState(state)));
}

/** `asks for permission: Bash(ls), until 14:05`. */
export function stallWords(stall: StallView, now: number): string {
  return wordsOf(stall, (until) => clock(until, now));
}

/** Of these nothing goes on until a person does something in the pane. */
export function waitsForPerson(stall: StallView | null): stall is StallView {
  return stall !== null && needsPerson(stall.cause);
}
