import { expandPatternsWithBraceExpansion, makeRe, removeDuplicateSlashes } from 'fast-glob/out/utils/pattern.js';

/** The patterns without alternatives that fast-glob makes of a glob. Undefined if it throws: some braces it cannot read. */
export function expandedByFastGlob(glob: string): string[] | undefined {
  try {
    return expandPatternsWithBraceExpansion([glob]);
  } catch {
    return undefined;
  }
}

/** fast-glob's own answer for a path, with `dot: true` and else its defaults. */
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
  const expressions = expandPatternsWithBraceExpansion([...patterns])
    .filter((pattern) => !isNegative(pattern))
    .map((pattern) => makeRe(removeDuplicateSlashes(pattern), options));
  return (path) => expressions.some((expression) => expression.test(path));
}
