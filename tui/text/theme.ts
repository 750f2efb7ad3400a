import type { Style } from './line.ts';

/** The looks of the dashboard, by what they mean. Each is told by more than its colour, so that NO_COLOR loses nothing. */
export const theme = {
  title: { bold: true },
  muted: { fg: 245 },
  accent: { fg: 75 },
  good: { fg: 77 },
  warn: { fg: 214 },
  bad: { fg: 203, bold: true },
  selected: { bg: 237, bold: true },
  marked: { inverse: true },
  bar: { bg: 236 },
  toast: { bg: 238 },
  key: { fg: 75, bold: true },
  added: { fg: 77 },
  removed: { fg: 203 },
  found: { inverse: true },
} as const satisfies Record<string, Style>;
