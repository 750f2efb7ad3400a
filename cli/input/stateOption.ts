import type { State } from '../../schemas/states/state.ts';
import { usage } from './parse.ts';

/** The value of `--state`, given as the word in lists or as the value in `--json`. */
export function stateOption<S extends string>(states: Readonly<Record<S, State>>, given: string): S {
  const wanted = given.trim().toLowerCase();
  const values = Object.keys(states) as S[];
  const found = values.find((value) => value.toLowerCase() === wanted || states[value].word === wanted);
  if (found === undefined) throw usage(`--state ${given} is unknown`, `Give one of: ${stateWords(states).join(', ')}.`);
  return found;
}

/** What to type for each state: its word, or its value if the word has a space. */
export function stateWords<S extends string>(states: Readonly<Record<S, State>>): string[] {
  return Object.entries<State>(states).map(([value, { word }]) => (word.includes(' ') ? value : word));
}
