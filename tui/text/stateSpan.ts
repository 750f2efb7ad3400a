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

/** A sign, a word and a look: told also without colours. */
export function stateSpan(state: State): Span {
  return span(`${state.sign} ${state.word}`, styleOf(state));
}

/** The sign alone, where the word has no room or stands elsewhere. */
export function signSpan(state: State): Span {
  return span(state.sign, styleOf(state));
}
