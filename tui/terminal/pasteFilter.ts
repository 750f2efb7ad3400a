const BEGINS = '\u001b[200~';
const ENDS = '\u001b[201~';
const CTRL_C = '\u0003';

/** Sorts what a terminal sends. */
export interface PasteFilter {
  push(text: string): void;
}

/**
 * Tells apart what is typed and what is pasted: each letter of a text is a command somewhere, and a pasted `a` must approve
 * nothing. Needs a terminal that brackets what is pasted, which it was asked to.
 */
export function createPasteFilter(events: { onTyped(text: string): void; onPasted(text: string): void }): PasteFilter {
  /** What has come of a text whose end has not; its marks may come in two pieces. */
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
      // Its end was lost: the keyboard is not.
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
    events.onPasted(asText(all.slice(0, ends)));
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

/** The end of a piece that may be the beginning of a paste. Escape alone is a key, and so no mark. */
function beginOfMark(text: string): string {
  for (let length = BEGINS.length - 1; length > 2; length -= 1) {
    if (text.endsWith(BEGINS.slice(0, length))) return BEGINS.slice(0, length);
  }
  return '';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: what is no text is left out
const NO_TEXT = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

function asText(pasted: string): string {
  return pasted.replace(/\r\n?/g, '\n').replace(NO_TEXT, '');
}
