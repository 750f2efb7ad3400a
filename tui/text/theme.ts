import type { Style } from './line.ts';

/** What a colour means; `palette.ts` says which it is on this terminal. */
export type Tone = 'muted' | 'accent' | 'good' | 'warn' | 'bad';
/** What lies behind a whole row. */
export type Ground = 'selected' | 'bar' | 'toast';

/** The looks of the dashboard, by what they mean. Each is told by more than its colour, so that NO_COLOR loses nothing. */
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
  /** The present one of several names in a row. */
  here: { bold: true, inverse: true },
  key: { fg: 'accent', bold: true },
  added: { fg: 'good' },
  removed: { fg: 'bad' },
  found: { inverse: true },
} as const satisfies Record<string, Style>;
