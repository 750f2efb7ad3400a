import { describe, expect, it } from 'vitest';
import { luminance } from '../../../tui/terminal/background.ts';
import type { Style } from '../../../tui/text/line.ts';
import { PALETTES, type Palette, paletteFor, resolveStyle } from '../../../tui/text/palette.ts';
import { theme } from '../../../tui/text/theme.ts';

/** Of text; where the terminal is not known, of bold letters and signs. */
const LEAST = 4.5;
const LEAST_EITHER = 3.2;
/** Of common schemes: black, VS Code, One Dark, Solarized dark; white, Solarized, One and Catppuccin light. */
const DARK = ['#000000', '#1e1e1e', '#282c34', '#002b36'];
const LIGHT = ['#ffffff', '#fdf6e3', '#fafafa', '#eff1f5'];
const TERMINALS = {
  dark: { grounds: DARK, text: '#d0d0d0' },
  light: { grounds: LIGHT, text: '#333333' },
  either: { grounds: [...DARK, ...LIGHT], text: undefined },
} as const;

const looks: [string, Style][] = Object.entries(theme);
const rows = looks.filter(([, style]) => style.bg !== undefined);
const parts = looks.filter(([, style]) => style.bg === undefined);

describe.each(Object.entries(PALETTES))('the colours for a background that is %s', (kind, palette) => {
  const { grounds, text } = TERMINALS[kind as keyof typeof TERMINALS];

  it.each(looks)('are readable as %s on the terminal, and in every row', (_, style) => {
    for (const pair of pairsOf(style, palette)) {
      const fronts = pair.fg === undefined ? [text] : [ofIndex(pair.fg)];
      const behind = pair.bg === undefined ? grounds : [ofIndex(pair.bg)];
      // What has no colour of its own is the terminal's own pair.
      if (fronts[0] === undefined) continue;
      for (const ground of behind)
        expect(contrast(fronts[0], ground), `${pair.fg} on ${ground}`).toBeGreaterThanOrEqual(
          pair.bg === undefined && text === undefined ? LEAST_EITHER : LEAST,
        );
    }
  });

  it('set the text colour of every row', () => {
    for (const [name, style] of rows) {
      const { fg, bg } = resolveStyle(style, palette);
      expect([name, fg !== undefined, bg !== undefined]).toEqual([name, true, true]);
      expect(contrast(ofIndex(fg as number), ofIndex(bg as number))).toBeGreaterThanOrEqual(LEAST);
    }
  });
});

it('without a reply, text keeps the terminal’s colour and its other styles', () => {
  for (const style of [{}, theme.title, theme.muted]) expect(resolveStyle(style, PALETTES.either).fg).toBeUndefined();
  const tones = Object.values(PALETTES.either.tones);
  expect(new Set(tones).size).toBe(tones.length);
});

it('an unknown background gets colours that are readable on both', () => {
  expect(paletteFor(undefined)).toBe(PALETTES.either);
  expect(paletteFor('light')).toBe(PALETTES.light);
});

it('a numbered colour of a replayed terminal stays', () => {
  expect(resolveStyle({ fg: 3, bg: 200, bold: true }, PALETTES.light)).toEqual({ fg: 3, bg: 200, bold: true });
});

/** A look by itself, and laid into each row as `over` does it. */
function pairsOf(style: Style, palette: Palette) {
  if (style.bg !== undefined) return parts.map(([, part]) => resolveStyle({ ...style, ...part }, palette));
  return [resolveStyle(style, palette), ...rows.map(([, row]) => resolveStyle({ ...row, ...style }, palette))];
}

function contrast(one: string, other: string): number {
  const [dark, light] = [of(one), of(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function of(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  return luminance(red, green, blue);
}

function ofIndex(index: number): string {
  const hex = (value: number) => value.toString(16).padStart(2, '0');
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`;
  const level = (value: number) => hex(value === 0 ? 0 : 55 + value * 40);
  const cube = index - 16;
  return `#${level(Math.floor(cube / 36))}${level(Math.floor(cube / 6) % 6)}${level(cube % 6)}`;
}
