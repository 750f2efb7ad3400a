import { Option } from 'commander';
import type { State } from '../../schemas/states/state.ts';
import { stateOption, stateWords } from '../input/stateOption.ts';

/** `--state`: shells offer the words of lists; the value that `--json` has is taken, too. */
export function stateFlag(states: Readonly<Record<string, State>>, description: string): Option {
  const flag = new Option('--state <state>', description).choices(stateWords(states));
  return flag.argParser((given) => stateOption(states, given));
}
