import { DevflowError } from '../../schemas/errors.ts';

/** The words of a command: a JSON list, or text that is split as in a shell. Nothing is expanded. */
export function parseArgv(option: string, text: string): string[] {
  if (text.trimStart().startsWith('[')) return jsonArgv(option, text);
  const words = splitWords(option, text);
  if (words.length === 0) throw usage(`${option} is empty`);
  const operator = words.find(({ word, quoted }) => !quoted && /^(&&|\|\||[|;&]|\d?[<>].*)$/.test(word));
  if (operator) {
    throw usage(
      `${option} has ${operator.word}, but no shell runs it`,
      'Give the option once for each command, or write a script into the repository.',
    );
  }
  return words.map(({ word }) => word);
}

function jsonArgv(option: string, text: string): string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usage(`${option} ${text} is not JSON: ${(error as Error).message}`);
  }
  const isArgv = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
  if (!isArgv || value === undefined) throw usage(`${option} ${text} is not a list of words such as ["npm","test"]`);
  return value as string[];
}

function splitWords(option: string, text: string): { word: string; quoted: boolean }[] {
  const words: { word: string; quoted: boolean }[] = [];
  let current: { word: string; quoted: boolean } | undefined;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    let char = text[at] as string;
    if (quote === '' && /\s/.test(char)) {
      if (current) words.push(current);
      current = undefined;
      continue;
    }
    current ??= { word: '', quoted: false };
    if (char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) {
      quote = char;
      current.quoted = true;
    } else {
      if (char === '\\' && quote !== "'" && at + 1 < text.length) {
        at += 1;
        char = text[at] as string;
        current.quoted = true;
      }
      current.word += char;
    }
  }
  if (quote !== '') throw usage(`${option} ${text} has an unclosed quote`);
  if (current) words.push(current);
  return words;
}

function usage(message: string, recoveryHint?: string): DevflowError {
  return new DevflowError('usage', message, { recoveryHint });
}
