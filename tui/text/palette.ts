import type { Ground, Style, Tone } from './line.ts';

export interface GroundColors {
  readonly bg: number;
  /** The colour of plain text on it. The terminal's own colour could be unreadable here. */
  readonly fg: number;
  /** True: tones get that colour too. */
  readonly hidesTones?: true;
}

/** The colours for one kind of background. A test checks the contrast of each pair. */
export interface Palette {
  /** Absent: the terminal's own. */
  readonly tones: Readonly<Partial<Record<Tone, number>>>;
  readonly grounds: Readonly<Record<Ground, GroundColors>>;
}

export type Background = 'dark' | 'light';

const DARK: Palette = {
  tones: { muted: 247, accent: 75, good: 77, warn: 214, bad: 210 },
  grounds: { selected: { bg: 236, fg: 255 }, bar: { bg: 235, fg: 253 }, toast: { bg: 236, fg: 253 } },
};

const LIGHT: Palette = {
  tones: { muted: 240, accent: 25, good: 22, warn: 94, bad: 124 },
  grounds: { selected: { bg: 195, fg: 232 }, bar: { bg: 255, fg: 235 }, toast: { bg: 230, fg: 235 } },
};

/**
 * For an unknown background. Plain text keeps the terminal's own colour. No colour has a contrast of 4.5 on every usual
 * background. So tones have a contrast of 3, which is enough for signs and bold text.
 */
const EITHER: Palette = {
  tones: { accent: 32, good: 64, warn: 166, bad: 197 },
  grounds: {
    selected: { bg: 25, fg: 231, hidesTones: true },
    bar: { bg: 240, fg: 231, hidesTones: true },
    toast: { bg: 24, fg: 231, hidesTones: true },
  },
};

export const PALETTES = { dark: DARK, light: LIGHT, either: EITHER } as const;

export function paletteFor(background: Background | undefined): Palette {
  return PALETTES[background ?? 'either'];
}

/** A style with the numbers of its colours. */
export type ResolvedStyle = Omit<Style, 'fg' | 'bg'> & { readonly fg?: number; readonly bg?: number };

export function resolveStyle(style: Style, palette: Palette): ResolvedStyle {
  const { fg, bg, ...rest } = style;
  const front = typeof fg === 'string' ? palette.tones[fg] : fg;
  if (typeof bg !== 'string') return { ...rest, fg: front, bg };
  const ground = palette.grounds[bg];
  return { ...rest, fg: ground.hidesTones ? ground.fg : (front ?? ground.fg), bg: ground.bg };
}
