import { type Span, type Style, span } from './line.ts';
import { theme } from './theme.ts';

/** How a state is told, also without colours: one cell, a word, and a look. */
export type StateWord = readonly [sign: string, word: string, look: Style];

/** Of a state that only a newer daemon knows, its own name. */
export function wordOf<S extends string>(words: Readonly<Record<S, StateWord>>, state: S): StateWord {
  return Object.hasOwn(words, state) ? words[state] : ['·', state, theme.muted];
}

export function stateSpan([sign, word, look]: StateWord): Span {
  return span(`${sign} ${word}`, look);
}
