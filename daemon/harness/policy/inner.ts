import type { Command, Finding, Word } from './finding.ts';

/** What a command would run besides itself. */
export interface Inner {
  commands?: Command[];
  scripts?: string[];
  refused?: Finding;
  /** The program has rules of its own as well; for a pure wrapper only these words of it may name files. */
  own: Word[] | 'all';
}
