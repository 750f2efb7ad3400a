import { systemTimers, type Timers } from '../timers.ts';

const ESC = '\u001b';
const BEGINS = `${ESC}]11;`;
/** Longer than any answer. */
const MOST = 256;
/** An answer comes in one piece, or in two at once. */
const PATIENCE_MS = 100;

// biome-ignore lint/suspicious/noControlCharactersInRegex: with one of these an answer ends
const END = /\u0007|\u001b\\|\u009c/;

/** Takes the terminal's answers out of what it sends: of an answer no letter may become a key, nor of a key an answer. */
export interface ReplyFilter {
  push(text: string): void;
  close(): void;
}

export function createReplyFilter(
  events: { onTyped(text: string): void; onAnswer(answer: string): void },
  timers: Timers = systemTimers,
): ReplyFilter {
  let held = '';
  let wasEscape = false;
  let cancelTimer = () => {};

  function take(text: string): void {
    const begins = text.indexOf(BEGINS);
    if (begins >= 0) {
      typed(text.slice(0, begins));
      answered(text.slice(begins));
      return;
    }
    held = beginOfAnswer(text);
    typed(text.slice(0, text.length - held.length));
  }

  /** `text` begins with an answer. */
  function answered(text: string): void {
    const body = text.slice(BEGINS.length);
    const end = END.exec(body);
    const other = body.search(/[^\x20-\x7e]/);
    if (end && end.index === other && other <= MOST) {
      events.onAnswer(body.slice(0, end.index));
      take(body.slice(end.index + end[0].length));
    } else if (other >= 0 && body.slice(other) !== ESC) {
      // It has no end: what comes now is a key.
      take(body.slice(other));
    } else if (body.length <= MOST) held = text;
    else held = '';
  }

  function typed(text: string): void {
    if (text !== '') events.onTyped(text);
  }

  /** What was held is a key after all, or an answer that never ends. */
  function release(): void {
    const text = held;
    held = '';
    if (!text.startsWith(BEGINS)) typed(text);
  }

  return {
    push(text) {
      cancelTimer();
      // Its escape came alone, and was a key already.
      const cut = wasEscape && held === '' && text.startsWith(BEGINS.slice(1)) ? ESC : '';
      wasEscape = text === ESC;
      const whole = `${held}${cut}${text}`;
      held = '';
      take(whole);
      if (held !== '') cancelTimer = timers.after(PATIENCE_MS, release);
    },
    close: () => cancelTimer(),
  };
}

/** The end of a piece that may be the beginning of an answer. Escape alone is a key. */
function beginOfAnswer(text: string): string {
  for (let length = BEGINS.length - 1; length > 1; length -= 1) {
    if (text.endsWith(BEGINS.slice(0, length))) return BEGINS.slice(0, length);
  }
  return '';
}
