import type { LintCode } from '../../lintCodes.ts';

/** A fault at a path of a document. */
export interface Fault {
  path: (string | number)[];
  code: LintCode;
  message: string;
}
