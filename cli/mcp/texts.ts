import { visible, visibleJson } from '../../schemas/text/visible.ts';

/** A longer answer would fill the context of a model. */
export const LONGEST_TEXT = 100 * 1024;

/** What a program gets of an answer. */
export interface Answer {
  text: string;
  /** Absent for an answer that is cut, and for one that is no data. */
  data?: Record<string, unknown>;
}

/** `named`: under which name a list is given, because programs expect an object. */
export function dataAnswer(value: unknown, named: string, howToAskForLess: string): Answer {
  const data = Array.isArray(value) ? { [named]: value } : (value as Record<string, unknown>);
  const text = visibleJson(data);
  if (Buffer.byteLength(text) <= LONGEST_TEXT) return { text, data };
  return { text: `${head(text)}\n${cutNote(text, 'only its beginning is here')} ${howToAskForLess}` };
}

export function textAnswer(text: string): Answer {
  const shown = visible(text, 'text');
  if (Buffer.byteLength(shown) <= LONGEST_TEXT) return { text: shown };
  return { text: `${head(shown)}\n${cutNote(shown, 'only its beginning is here')}` };
}

/** The end of a transcript says what happens now. */
export function tailAnswer(text: string): Answer {
  const shown = visible(text, 'text');
  if (Buffer.byteLength(shown) <= LONGEST_TEXT) return { text: shown };
  return { text: `${cutNote(shown, 'only its end is here')}\n${tail(shown)}` };
}

function cutNote(text: string, which: string): string {
  return `[cut: the whole text has ${Math.ceil(Buffer.byteLength(text) / 1024)} KB, ${which}.]`;
}

/** Whole characters alone. */
function head(text: string): string {
  return Buffer.from(text)
    .subarray(0, LONGEST_TEXT)
    .toString()
    .replace(/\ufffd+$/, '');
}

function tail(text: string): string {
  return Buffer.from(text)
    .subarray(-LONGEST_TEXT)
    .toString()
    .replace(/^\ufffd+/, '');
}
