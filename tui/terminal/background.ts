import type { Background } from '../text/palette.ts';

/** Asks the terminal for its background colour. */
export const ASK_BACKGROUND = '\u001b]11;?\u001b\\';

/** Above this luminance, black text is easier to read than white text. */
const LIGHT_FROM = 0.179;

/** Parses the reply (`rgb:ffff/ffff/ffff`, `#ffffff`); undefined for an invalid one. */
export function backgroundOf(answer: string): Background | undefined {
  const [, ...parts] =
    /^rgba?:([\da-f]{1,4})\/([\da-f]{1,4})\/([\da-f]{1,4})(?:\/[\da-f]{1,4})?$/i.exec(answer) ??
    /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(answer) ??
    [];
  if (parts.length < 3) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((hex) => Number.parseInt(hex, 16) / (16 ** hex.length - 1));
  return luminance(red, green, blue) > LIGHT_FROM ? 'light' : 'dark';
}

/** Relative luminance as WCAG defines it; parts from 0 to 1. */
export function luminance(red: number, green: number, blue: number): number {
  const linear = (part: number) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Some terminals set COLORFGBG: `15;0` and `15;default;0` mean light text on black. */
export function backgroundIn({ COLORFGBG = '' }: NodeJS.ProcessEnv): Background | undefined {
  const [, ground] = /;(\d{1,2})$/.exec(COLORFGBG) ?? [];
  if (ground === undefined || Number(ground) > 15) return undefined;
  return Number(ground) === 7 || Number(ground) > 8 ? 'light' : 'dark';
}
