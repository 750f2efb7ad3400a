import type { ShownSessionState } from '../../schemas/enums.ts';
import type { StallView } from '../../schemas/rpc/views/session.ts';
import { sessionState } from '../../schemas/states/session.ts';
import { needsPerson, stallWords as wordsOf } from '../../schemas/states/stall.ts';
import { type Line, line } from './line.ts';
import { stateSpan } from './stateSpan.ts';
import { clock } from './time.ts';

export function sessionStateWord(state: ShownSessionState): Line {
  return line(stateSpan(sessionState(state)));
}

/** `asks for permission: Bash(ls), until 14:05`. */
export function stallWords(stall: StallView, now: number): string {
  return wordsOf(stall, (until) => clock(until, now));
}

/** True if the agent stays stalled until a person acts in its pane. */
export function waitsForPerson(stall: StallView | null): stall is StallView {
  return stall !== null && needsPerson(stall.cause);
}
