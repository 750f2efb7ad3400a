const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/** The kind that a value of `key=value` has: `true`, `false`, `null`, a whole number, else text. */
export function typedWord(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  return WHOLE.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text;
}
