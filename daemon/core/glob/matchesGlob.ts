import { statesAfter } from './automaton.ts';
import { type CaseRule, type CompiledGlob, type CompiledPattern, compileGlob } from './compileGlob.ts';
import { foldText } from './foldCase.ts';
import type { Answer } from './patternsIntersect.ts';

/**
 * True if fast-glob would match a path with one of the globs, in any of their readings (`globReadings.ts`). One
 * exception: here `*` and `**` match a line break too.
 */
export function matchesGlob(path: string, globs: readonly string[], rule: CaseRule): Answer {
  return matchesCompiled(
    path,
    globs.map((glob) => compileGlob(glob, rule)),
  );
}

/** As `matchesGlob`, to ask of many paths. */
export function matchesCompiled(path: string, globs: readonly CompiledGlob[]): Answer {
  let answer: Answer = 'no';
  for (const { patterns, ignoreCase } of globs) {
    const text = ignoreCase ? foldText(path) : path;
    for (const pattern of patterns) {
      if (!accepts(pattern, text)) continue;
      if (pattern.exact) return 'yes';
      answer = 'unknown';
    }
  }
  return answer;
}

function accepts({ prefix, suffix, texts, rest }: CompiledPattern, path: string): boolean {
  if (!path.startsWith(prefix) || !path.endsWith(suffix) || !texts.every((text) => path.includes(text))) return false;
  const automaton = rest();
  return [...statesAfter(automaton, path.slice(prefix.length))].some((state) => automaton.accepting[state]);
}
