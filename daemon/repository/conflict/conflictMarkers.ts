import type { Versions } from './goneLines.ts';

/** git makes longer ones where a conflict lies inside another. */
const MARKER = /^(?:<{7,}|>{7,}|\|{7,})(?: .*)?$/;
const MIDDLE = /^={7}$/;

/**
 * The conflict markers that a result still has, with their line numbers. A line that a side has too is none. A document
 * may underline its headings, and a test may have conflicts as its data.
 */
export function leftMarkers({ base, ours, theirs, result }: Versions): { line: number; text: string }[] {
  const known = new Set([base, ours, theirs].flatMap(linesOf).filter((line) => MARKER.test(line)));
  const lines = linesOf(result).map((text, at) => ({ line: at + 1, text }));
  const left = lines.filter(({ text }) => MARKER.test(text) && !known.has(text));
  const middles = (text: string) => linesOf(text).filter((line) => MIDDLE.test(line)).length;
  const wanted = Math.max(middles(ours) + middles(theirs) - middles(base), middles(ours), middles(theirs));
  const found = lines.filter(({ text }) => MIDDLE.test(text));
  return found.length > wanted && left.length === 0 ? found : left;
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/);
}
