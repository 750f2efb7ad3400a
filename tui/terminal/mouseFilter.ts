/** A mouse report of the terminal, in the form that the dashboard requests. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const REPORT = /(\u001b\[<\d+;\d+;\d+[Mm])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const START_OF_REPORT = /\u001b\[<[\d;]{0,20}$/;
/** Too short to tell from a key, which must not wait. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const SHORT_START = /\u001b\[?$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const BEGINS_REPORT = /^\u001b\[<\d/;

export interface MouseFilter {
  push(text: string): void;
}

/**
 * Hands on every report of the mouse by itself. Of a text with several, blessed takes only the first, and it drops the
 * keys beside it. A report may come in two pieces. No part of it may become a letter, because every letter is a command
 * somewhere.
 */
export function createMouseFilter(onPiece: (text: string) => void): MouseFilter {
  let held = '';
  /** The end of the last text, which became a key and may have been the start of a report. */
  let keyed = '';
  return {
    push(text) {
      const start = BEGINS_REPORT.test(keyed + text) ? keyed : '';
      const whole = held + start + text;
      keyed = SHORT_START.exec(whole)?.[0] ?? '';
      held = START_OF_REPORT.exec(whole)?.[0] ?? '';
      const sure = whole.slice(0, whole.length - held.length);
      for (const piece of sure.split(REPORT)) if (piece !== '') onPiece(piece);
    },
  };
}
