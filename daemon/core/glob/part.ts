import { ANY, type CharSet, complement, ONLY_SLASH } from './charSet.ts';

/** A piece of a pattern. */
export type Part =
  | { is: 'text'; text: string }
  /** One code unit of the set. */
  | { is: 'unit'; set: CharSet }
  /** One code unit that is not in the set. */
  | { is: 'unitExcept'; set: CharSet }
  /** Any number of code units of the set. */
  | { is: 'run'; set: CharSet }
  /** `**` and the slash behind it: any number of directories. */
  | { is: 'directories' }
  /** `**` at the end and the slash before it: the path before them, or anything below it. */
  | { is: 'below' }
  | { is: 'oneOf'; options: readonly Part[] };

export const STAR: Part = { is: 'run', set: complement(ONLY_SLASH) };
export const QUESTION_MARK: Part = { is: 'unitExcept', set: ONLY_SLASH };
export const ANYTHING: Part = { is: 'run', set: ANY };
export const DIRECTORIES: Part = { is: 'directories' };
export const BELOW: Part = { is: 'below' };

export function literal(text: string): Part {
  return { is: 'text', text };
}

/** The part read from a pattern, and the index behind it. */
export interface Read {
  part: Part;
  next: number;
}
