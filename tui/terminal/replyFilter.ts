import { systemTimers, type Timers } from '../system/timers.ts';

const ESC = '\u001b';
const START = `${ESC}]11;`;
/** Longer than any reply. */
const MAX_LENGTH = 256;
/** A reply comes in one piece, or in two right after each other. */
const WAIT_MS = 100;

// biome-ignore lint/suspicious/noControlCharactersInRegex: one of these ends a reply
const END = /\u0007|\u001b\\|\u009c/;

/** Separates the terminal's replies from typed keys. No part of a reply may become a key, and no key part of a reply. */
export interface ReplyFilter {
  push(text: string): void;
  close(): void;
}

export function createReplyFilter(
  events: { onTyped(text: string): void; onReply(answer: string): void },
  timers: Timers = systemTimers,
): ReplyFilter {
  let held = '';
  let wasEscape = false;
  let cancelTimer = () => {};

  function take(text: string): void {
    const begins = text.indexOf(START);
    if (begins >= 0) {
      typed(text.slice(0, begins));
      onStart(text.slice(begins));
      return;
    }
    held = startOfReply(text);
    typed(text.slice(0, text.length - held.length));
  }

  /** `text` begins with a reply. */
  function onStart(text: string): void {
    const body = text.slice(START.length);
    const end = END.exec(body);
    const other = body.search(/[^\x20-\x7e]/);
    if (end && end.index === other && other <= MAX_LENGTH) {
      events.onReply(body.slice(0, end.index));
      take(body.slice(end.index + end[0].length));
    } else if (other >= 0 && body.slice(other) !== ESC) {
      // The reply has no end: keys follow.
      take(body.slice(other));
    } else if (body.length <= MAX_LENGTH) held = text;
    else held = '';
  }

  function typed(text: string): void {
    if (text !== '') events.onTyped(text);
  }

  /** The held text is a key after all, or a reply that never ends. */
  function release(): void {
    const text = held;
    held = '';
    if (!text.startsWith(START)) typed(text);
  }

  return {
    push(text) {
      cancelTimer();
      // The escape of this reply came alone, and was already passed on as a key.
      const cut = wasEscape && held === '' && text.startsWith(START.slice(1)) ? ESC : '';
      wasEscape = text === ESC;
      const whole = `${held}${cut}${text}`;
      held = '';
      take(whole);
      if (held !== '') cancelTimer = timers.after(WAIT_MS, release);
    },
    close: () => cancelTimer(),
  };
}

/** The end of a piece that may start a reply. Escape alone is a key. */
function startOfReply(text: string): string {
  for (let length = START.length - 1; length > 1; length -= 1) {
    if (text.endsWith(START.slice(0, length))) return START.slice(0, length);
  }
  return '';
}
