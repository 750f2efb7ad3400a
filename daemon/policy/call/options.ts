import type { Word } from './call.ts';

/** One option as given: `-f` of a cluster, or `--force`; `value` when attached or taken from the next word. */
export interface Option {
  name: string;
  value?: Word;
}

export interface Parsed {
  options: Option[];
  operands: Word[];
}

/**
 * Reads words like getopt_long: options may come between operands until `--`. `valued` names the options that take a value
 * (`-o`, `--repo`); others take one only with `=`. With `stopAtOperand` the first operand ends the options, as for a wrapper's
 * command.
 */
export function parseOptions(words: readonly Word[], valued: readonly string[] = [], stopAtOperand = false): Parsed {
  const options: Option[] = [];
  const operands: Word[] = [];
  let i = 0;
  while (i < words.length) {
    const word = words[i] as Word;
    i += 1;
    if (word.text === '--') break;
    if (word.text.startsWith('--')) {
      const option = readLong(word);
      if (option.value === undefined && valued.includes(option.name)) option.value = words[i++];
      options.push(option);
    } else if (word.text.length > 1 && word.text.startsWith('-')) {
      const cluster = readCluster(word, valued);
      const last = cluster.at(-1);
      if (last && last.value === undefined && valued.includes(last.name)) last.value = words[i++];
      options.push(...cluster);
    } else {
      operands.push(word);
      if (stopAtOperand) break;
    }
  }
  return { options, operands: [...operands, ...words.slice(i)] };
}

function readLong(word: Word): Option {
  const equals = word.text.indexOf('=');
  if (equals < 0) return { name: word.text };
  return { name: word.text.slice(0, equals), value: { ...word, text: word.text.slice(equals + 1) } };
}

function readCluster(word: Word, valued: readonly string[]): Option[] {
  const found: Option[] = [];
  for (let at = 1; at < word.text.length; at++) {
    const option: Option = { name: `-${word.text[at]}` };
    found.push(option);
    if (valued.includes(option.name) && at + 1 < word.text.length) {
      option.value = { ...word, text: word.text.slice(at + 1) };
      break;
    }
  }
  return found;
}

/**
 * True if one of the names was given. A long name also counts if abbreviated (`--forc` for `--force`), because git and the GNU
 * tools accept that. They refuse an abbreviation that is not unique.
 */
export function given(options: readonly Option[], ...names: string[]): boolean {
  return options.some((option) =>
    names.some(
      (name) =>
        option.name === name ||
        (name.startsWith('--') &&
          option.name.length > 2 &&
          option.name.startsWith('--') &&
          name.startsWith(option.name)),
    ),
  );
}
