import { expandPatternsWithBraceExpansion, makeRe, removeDuplicateSlashes } from 'fast-glob/out/utils/pattern.js';
import type { GlobReading } from '../../../../daemon/core/glob/globReadings.ts';

/** The patterns without alternatives that fast-glob makes of a glob. Undefined if it throws: some braces it cannot read. */
export function expandedByFastGlob(glob: string): string[] | undefined {
  try {
    return expandPatternsWithBraceExpansion([glob]);
  } catch {
    return undefined;
  }
}

/** What fast-glob makes of all readings of a glob. */
export function expandedReadings(readings: readonly GlobReading[]): string[] {
  const patterns = readings.flatMap(({ pattern, inside }) => (inside === null ? [pattern] : [pattern, inside]));
  return expandPatternsWithBraceExpansion(patterns);
}

/** fast-glob's own answer for a path and expanded patterns, with `dot: true` and else its defaults. */
export function fastGlobMatcher(patterns: readonly string[], ignoreCase: boolean): (path: string) => boolean {
  const options = {
    dot: true,
    matchBase: false,
    nobrace: false,
    nocase: ignoreCase,
    noext: false,
    noglobstar: false,
    posix: true,
    strictSlashes: false,
  };
  const isNegative = (pattern: string) => /^!(?!\()/.test(pattern);
  const expressions = patterns
    .filter((pattern) => !isNegative(pattern))
    .map((pattern) => makeRe(removeDuplicateSlashes(pattern), options));
  return (path) => expressions.some((expression) => expression.test(path));
}
