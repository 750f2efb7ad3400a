import { type Command, Option } from 'commander';
import { LIST_LIMIT } from '../../schemas/names.ts';
import type { State } from '../../schemas/states/state.ts';
import { stateOption, stateWords } from '../input/stateOption.ts';

interface ListTexts {
  states: Readonly<Record<string, State>>;
  /** What the list shows: `runs`. */
  of: string;
  /** What `--all` does. */
  all: string;
  /** What a list shows in spite of its limit. */
  always: string;
}

/** Adds `--state`, `--all` and `--limit` to a list. */
export function listOptions(list: Command, { states, of, all, always }: ListTexts): Command {
  // Shells offer the words of the list. The values of `--json` are accepted, too.
  const state = new Option('--state <state>', `only ${of} in this state`).choices(stateWords(states));
  return list
    .addOption(state.argParser((given) => stateOption(states, given)))
    .option('--all', all)
    .option('--limit <n>', `show the newest <n> and ${always} (default: ${LIST_LIMIT}; 0: all)`);
}
