import { maskSecrets } from '../../transcript/maskSecrets.ts';

/** Enough for a question. */
export const MOST_CHARACTERS = 600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const CONTROLS = /\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** An agent's text as one line that can be stored and shown: without secrets and control characters. Pure. */
export function tidy(text: string): string {
  return maskSecrets(text.toWellFormed()).replaceAll(CONTROLS, ' ').replaceAll(/\s+/g, ' ').trim();
}

/** The end of an agent's text, as lines that can be stored and shown. Secrets may span lines. Pure. */
export function tidyLines(text: string, mostBytes: number): string {
  const lines = maskSecrets(text.toWellFormed())
    .split(/\r\n|[\n\r]/)
    .map(tidy);
  const whole = Buffer.from(lines.join('\n').trim());
  // A cut character would be stored as another one.
  return whole
    .subarray(-mostBytes)
    .toString('utf8')
    .replace(/^\ufffd+/, '')
    .trim();
}

/** The beginning of a tidy line. Pure. */
export function beginningOf(line: string): string {
  const characters = [...line];
  return characters.length <= MOST_CHARACTERS ? line : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}

/** The end of a tidy line. Pure. */
export function endOf(line: string): string {
  const characters = [...line];
  return characters.length <= MOST_CHARACTERS ? line : `…${characters.slice(1 - MOST_CHARACTERS).join('')}`;
}
