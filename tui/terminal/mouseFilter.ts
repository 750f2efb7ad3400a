/** What the terminal reports of the mouse, in the form that the dashboard asks for. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const REPORT = /(\u001b\[<\d+;\d+;\d+[Mm])/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: a report begins with escape
const START_OF_REPORT = /\u001b\[<[\d;]{0,20}$/;

export interface MouseFilter {
  push(text: string): void;
}

/**
 * Hands on every report of the mouse by itself. Of a text with several, blessed takes only the first, and it drops the
 * keys beside it. A report may come in two pieces.
 */
export function createMouseFilter(onPiece: (text: string) => void): MouseFilter {
  let held = '';
  return {
    push(text) {
      const whole = held + text;
      held = START_OF_REPORT.exec(whole)?.[0] ?? '';
      const sure = whole.slice(0, whole.length - held.length);
      for (const piece of sure.split(REPORT)) if (piece !== '') onPiece(piece);
    },
  };
}
