import { type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** How many things are in it, where that says something. */
  readonly count?: number | undefined;
}

/** The parts of a screen in one line; the one that is shown is in brackets, so that it is told without colours too. */
export function sectionsLine(sections: readonly Section[], shown: string): Line {
  return sections.flatMap(({ id, title, count }) => {
    const number = count === undefined ? '' : ` ${count}`;
    if (id === shown) return line(span(`[${title}`, theme.key), span(number, theme.accent), span(']', theme.key), ' ');
    return line(span(` ${title}${number} `, theme.muted), ' ');
  });
}
