import type { LintCode } from '../../lint/lintCodes.ts';

/** A fault at a path of a document. */
export interface Fault {
  path: (string | number)[];
  code: LintCode;
  message: string;
  /** The text in the value that is meant, and how many of its kind stand before it. */
  part?: { text: string; nth: number } | undefined;
}
