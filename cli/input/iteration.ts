import { usage } from './parse.ts';

/** The number of an iteration; 0 is the base. */
export function iterationFrom(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw usage(`${text} is no iteration: give its number, or 0 for the base`);
}
