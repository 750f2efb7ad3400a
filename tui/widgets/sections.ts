import { type Line, line, span } from '../text/line.ts';
import { theme } from '../text/theme.ts';

export interface Section {
  readonly id: string;
  readonly title: string;
  /** The number of its items, if that is useful. */
  readonly count?: number | undefined;
}

/** The sections of a screen in one line. Brackets mark the current one, so no colours are needed. */
export function sectionsLine(sections: readonly Section[], shown: string): Line {
  return sections.flatMap(({ id, title, count }) => {
    const number = count === undefined ? '' : ` ${count}`;
    if (id === shown) return line(span(`[${title}`, theme.key), span(number, theme.accent), span(']', theme.key), ' ');
    return line(span(` ${title}${number} `, theme.muted), ' ');
  });
}
