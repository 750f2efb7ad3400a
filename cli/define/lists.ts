import { resolve } from 'node:path';
import { LIST_LIMIT } from '../../schemas/names.ts';
import type { State } from '../../schemas/states/state.ts';
import { stateOption, stateWords } from '../input/lists.ts';
import { type Entry, number, parsed, text } from './entry.ts';

interface ListTexts<A> {
  /** The rows of the list: `runs`. */
  of: string;
  /** `--all`: a parameter of some lists. */
  all: A;
  /** Rows that the list shows in spite of its limit. */
  always: string;
}

/** `--state`, `--repo`, `--search`, `--all` and `--limit` of a list. */
export function listEntries<S extends string, A extends Entry>(
  states: Readonly<Record<S, State>>,
  { of, all, always }: ListTexts<A>,
) {
  const ofRuns = of === 'runs' ? of : `${of} of runs`;
  const state = text('<state>', `only ${of} in this state`, { offers: stateWords(states) });
  return {
    state: parsed(state, (_, given) => stateOption(states, given)),
    repo: parsed(text('<dir>', `only ${of} of the repository of this directory`), (_, given, { cwd }) =>
      resolve(cwd, given),
    ),
    search: text('<words>', `only ${ofRuns} with all these words in their title or requirements`),
    all,
    limit: number('<n>', `show the newest <n> and ${always} (default: ${LIST_LIMIT}; 0: all)`),
  };
}
