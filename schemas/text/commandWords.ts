/** The words of a command, or what is wrong with its text, as the end of a sentence. */
export type CommandWords = { ok: true; words: string[] } | { ok: false; fault: string; hint?: string };

/**
 * Reads a command in one line, as a person writes it: a JSON list, or text that is split as in a shell. Nothing is expanded.
 */
export function commandWords(text: string): CommandWords {
  if (text.trimStart().startsWith('[')) return jsonWords(text);
  const split = splitWords(text);
  if (split === undefined) return { ok: false, fault: `${text} has an unclosed quote` };
  if (split.length === 0) return { ok: false, fault: 'is empty' };
  const operator = split.find(({ word, quoted }) => !quoted && /^(&&|\|\||[|;&]|\d?[<>].*)$/.test(word));
  if (operator) {
    return {
      ok: false,
      fault: `has ${operator.word}, but no shell runs it`,
      hint: 'Give the option once for each command, or write a script into the repository.',
    };
  }
  return { ok: true, words: split.map(({ word }) => word) };
}

function jsonWords(text: string): CommandWords {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, fault: `${text} is not JSON: ${(error as Error).message}` };
  }
  const isArgv = Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string');
  return isArgv
    ? { ok: true, words: value as string[] }
    : { ok: false, fault: `${text} is not a list of words such as ["npm","test"]` };
}

/** Undefined for an unclosed quote. */
function splitWords(text: string): { word: string; quoted: boolean }[] | undefined {
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
  if (quote !== '') return undefined;
  if (current) words.push(current);
  return words;
}
