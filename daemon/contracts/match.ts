import { RE2JS } from 're2js';
import type { FindMatch } from '../../schemas/contracts/handover/progress/drift.ts';
import { re2Source } from './pattern/re2Source.ts';

/** Repetitions unfold: `x{1000}` has a thousand instructions. */
const LONGEST_PATTERN = 1_000;
const MOST_CHARACTERS = 1_000;
/** All patterns of one call together: the daemon answers nobody else meanwhile. The worst ones take two seconds. */
const MOST_STEPS = 30_000_000;
/** To compile an instruction takes as long as to match it with so many characters. */
const STEPS_TO_COMPILE = 100;

/**
 * Matches patterns that agents wrote on the beginning of each text. The time grows with the length of the text only, and no
 * clock decides. A pattern that a linear engine cannot match is `unchecked`, and so are all once they took too many steps.
 */
export function createMatcher(): FindMatch {
  let left = MOST_STEPS;
  return (pattern, texts, from) => {
    const program = left < 0 ? undefined : compile(pattern);
    if (!program) return 'unchecked';
    const size = program.programSize();
    left -= size * STEPS_TO_COMPILE;
    for (const [at, text] of texts.entries()) {
      if (at < from) continue;
      const beginning = text.slice(0, MOST_CHARACTERS);
      left -= size * (beginning.length + 1);
      if (left < 0) return 'unchecked';
      if (program.test(beginning)) return at;
    }
    return -1;
  };
}

/** Undefined for what is no pattern, what is too large, and what no linear engine matches. */
function compile(pattern: string): RE2JS | undefined {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  try {
    new RegExp(pattern);
    const source = re2Source(pattern);
    return source === undefined ? undefined : RE2JS.compile(source);
  } catch {
    return undefined;
  }
}
