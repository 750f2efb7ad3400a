import { type Line, line, lineWidth, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** The number of its items, if that is useful. */
  readonly count?: number | undefined;
}

/**
 * The sections of a screen in one line. Brackets mark the current one, so no colours are needed. Where they do not fit, the
 * others lose their numbers, then the first ones go: the current one always shows.
 */
export function sectionsLine(
  sections: readonly Section[],
  shown: string,
  columns: number = Number.POSITIVE_INFINITY,
): Line {
  const whole = sections.flatMap((section) => [...sectionName(section, section.id === shown), span(' ')]);
  if (lineWidth(whole) - GAP <= columns) return whole;
  const names = sections.map(({ id, title, count }) =>
    sectionName({ id, title, count: id === shown ? count : undefined }, id === shown),
  );
  const current = sections.findIndex(({ id }) => id === shown);
  let from = 0;
  while (from < current && lineWidth(names.slice(from, current + 1).flat()) > columns - (from > 0 ? 2 : 0)) from += 1;
  return [...(from > 0 ? [span('… ', theme.muted)] : []), ...names.slice(from).flat()];
}

/** The blanks behind the last name. */
const GAP = 2;

function sectionName({ title, count }: Section, isShown: boolean): Line {
  const number = count === undefined ? '' : ` ${count}`;
  if (!isShown) return line(span(` ${title}${number} `, theme.muted));
  return line(span(`[${title}`, theme.key), span(number, theme.accent), span(']', theme.key));
}
