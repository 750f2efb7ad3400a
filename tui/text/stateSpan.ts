import type { Look, State } from '../../schemas/states/state.ts';
import { type Span, type Style, span } from './line.ts';
import { theme } from './theme.ts';

const STYLES: Readonly<Record<Look, Style>> = {
  quiet: theme.muted,
  busy: theme.accent,
  good: theme.good,
  ask: theme.warn,
  bad: theme.bad,
};

export function styleOf({ look }: State): Style {
  return STYLES[look];
}

/** The sign and the word of a state. Both are readable without colours. */
export function stateSpan(state: State): Span {
  return span(`${state.sign} ${state.word}`, styleOf(state));
}

/** Only the sign, where the word does not fit or is elsewhere. */
export function signSpan(state: State): Span {
  return span(state.sign, styleOf(state));
}
