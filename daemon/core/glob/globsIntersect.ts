import type { Budget } from './automaton.ts';
import { type CaseRule, type CompiledGlob, compileGlob } from './compileGlob.ts';
import { type Answer, patternsIntersect } from './patternsIntersect.ts';

/** Enough for two globs that people write. Two rows of a hundred stars exceed it. */
const STEPS = 100_000;

/** True if a path, existing or not, is matched by both globs, in any of their readings (`globReadings.ts`). */
export function globsIntersect(a: string, b: string, rule: CaseRule): Answer {
  return compiledIntersect(compileGlob(a, rule), compileGlob(b, rule), { steps: STEPS });
}

/** As `globsIntersect`, to compare many. */
export function compiledIntersect(a: CompiledGlob, b: CompiledGlob, budget: Budget): Answer {
  let answer: Answer = 'no';
  for (const one of a.patterns) {
    for (const other of b.patterns) {
      const both = patternsIntersect(one, other, budget);
      if (both === 'yes') return 'yes';
      if (both === 'unknown') answer = 'unknown';
    }
  }
  return answer;
}
