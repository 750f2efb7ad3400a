import { cutTo } from '../../../schemas/cutTo.ts';

/** A foreign text that the log can store: on one line, well formed, cut at `most`, without control characters. */
export function textFor(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return cutTo(line, most).toWellFormed();
}
