import type { Style } from './line.ts';

/** The styles of the dashboard by meaning. Colour is never the only difference, so NO_COLOR loses nothing. */
export const theme = {
  title: { bold: true },
  muted: { fg: 'muted' },
  accent: { fg: 'accent' },
  good: { fg: 'good' },
  warn: { fg: 'warn' },
  bad: { fg: 'bad', bold: true },
  selected: { bg: 'selected', bold: true },
  marked: { inverse: true },
  bar: { bg: 'bar' },
  toast: { bg: 'toast' },
  /** The current tab. */
  here: { bold: true, inverse: true },
  key: { fg: 'accent', bold: true },
  added: { fg: 'good' },
  removed: { fg: 'bad' },
  found: { inverse: true },
} as const satisfies Record<string, Style>;
