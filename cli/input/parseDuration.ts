import { usage } from './parse.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** The longest timer of Node. */
const LONGEST_MS = 2 ** 31 - 1;

/** A duration such as `90s`, `30m` or `2h`, in milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,9})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms === 0) throw usage(`${option} ${text} is not a duration such as 90s, 30m or 2h`);
  if (ms > LONGEST_MS) throw usage(`${option} ${text} is longer than 24 days`);
  return ms;
}

/** The value of `--timeout`, as the person wrote it and in milliseconds. */
export function waitLimit(option: string, text: string): { text: string; ms: number } {
  return { text, ms: parseDuration(option, text) };
}
