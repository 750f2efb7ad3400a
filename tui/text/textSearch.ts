import { type Line, type Span, textOf } from './line.ts';
import { theme } from './theme.ts';

/** Matches the words literally and in any case; undefined for an empty search. */
export function searchPattern(words: string): RegExp | undefined {
  return words === '' ? undefined : new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi');
}

const texts = new WeakMap<Line, string>();

/** The numbers of the matching lines. Every key searches again, so the texts of lines are cached. */
export function matchingLines(lines: readonly Line[], pattern: RegExp): number[] {
  const found: number[] = [];
  lines.forEach((each, nth) => {
    const text = texts.get(each) ?? textOf(each);
    texts.set(each, text);
    pattern.lastIndex = 0;
    if (pattern.test(text)) found.push(nth);
  });
  return found;
}

/** The line with every match highlighted. The current line is underlined too. */
export function highlight(spans: Line, pattern: RegExp, isHere: boolean): Line {
  const look = isHere ? { ...theme.found, underline: true as const } : theme.found;
  const places = [...textOf(spans).matchAll(pattern)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  if (places.length === 0) return spans;
  const result: Span[] = [];
  let at = 0;
  for (const { text, style } of spans) {
    const edges = places.flat().filter((edge) => edge > at && edge < at + text.length);
    const cuts = [...new Set([at, ...edges, at + text.length])];
    cuts.slice(0, -1).forEach((from, nth) => {
      const to = cuts[nth + 1] ?? from;
      const isFound = places.some(([start, end]) => from >= start && to <= end);
      result.push({ text: text.slice(from - at, to - at), style: isFound ? { ...style, ...look } : style });
    });
    at += text.length;
  }
  return result;
}
