const BEGINS = '\u001b[200~';
const ENDS = '\u001b[201~';
const CTRL_C = '\u0003';

export interface PasteFilter {
  push(text: string): void;
}

/**
 * Separates pasted text from typed keys: a pasted `a` must not approve anything. The terminal must support bracketed paste,
 * which the dashboard turns on.
 */
export function createPasteFilter(events: { onTyped(text: string): void; onPasted(text: string): void }): PasteFilter {
  /** The pasted text so far, until its end mark comes. A mark may come in two pieces. */
  let pasted: string | undefined;
  let held = '';

  function typed(text: string): void {
    const begins = text.indexOf(BEGINS);
    if (begins >= 0) {
      if (begins > 0) events.onTyped(text.slice(0, begins));
      pasted = '';
      take(text.slice(begins + BEGINS.length));
      return;
    }
    held = beginOfMark(text);
    const sure = text.slice(0, text.length - held.length);
    if (sure !== '') events.onTyped(sure);
  }

  function take(text: string): void {
    if (text === CTRL_C) {
      // The end mark was lost: give the keyboard back.
      pasted = undefined;
      return;
    }
    const all = `${pasted ?? ''}${text}`;
    const ends = all.indexOf(ENDS, Math.max(0, (pasted ?? '').length - ENDS.length));
    if (ends < 0) {
      pasted = all;
      return;
    }
    pasted = undefined;
    events.onPasted(all.slice(0, ends).replace(/\r\n?/g, '\n').replace(CONTROLS, ''));
    if (ends + ENDS.length < all.length) typed(all.slice(ends + ENDS.length));
  }

  return {
    push(text) {
      const whole = held + text;
      held = '';
      if (pasted === undefined) typed(whole);
      else take(whole);
    },
  };
}

/** The end of a piece that may start a paste mark. Escape alone is a key. */
function beginOfMark(text: string): string {
  for (let length = BEGINS.length - 1; length > 2; length -= 1) {
    if (text.endsWith(BEGINS.slice(0, length))) return BEGINS.slice(0, length);
  }
  return '';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are dropped
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
