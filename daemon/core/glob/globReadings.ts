import { expandBraces } from './expandBraces.ts';

/** A pattern for fast-glob, and one for what is in the directory that the pattern may name. */
export interface GlobReading {
  pattern: string;
  inside: string | null;
}

/**
 * The readings of a glob of a person or agent, without alternatives. Beside the pattern as written there are two more:
 * - `app/[id]/page.tsx` is also the directory that frameworks call `[id]`, and `(auth)` the one with parentheses.
 * - `src/auth` is also what is in that directory, whether or not it exists.
 *
 * Undefined if there are too many, or if this code cannot expand the braces. Do not give such a glob to fast-glob: it may
 * stand for millions. Give it `inside` only where the pattern is a directory: with a file it throws ENOTDIR.
 */
export function globReadings(glob: string): GlobReading[] | undefined {
  const patterns = expandBraces(glob)?.flatMap((pattern) => {
    const tidy = tidied(pattern);
    return EXTENDED.test(tidy) ? [tidy] : [tidy, asName(tidy, false), asName(tidy, true)];
  });
  return (
    patterns && [...new Set(patterns)].map((pattern) => ({ pattern, inside: isBare(pattern) ? `${pattern}/**` : null }))
  );
}

function tidied(pattern: string): string {
  const tidy = pattern.replace(/(?!^)\/{2,}/g, '/').replace(/^(?:\.(?:\/|$))+/, '') || '**';
  return tidy.endsWith('/') ? `${tidy}**` : tidy;
}

/**
 * An escape; a bracket such as `[id]`, which picomatch reads as a name too; one of ranges alone, such as `[0-9]`; or a
 * character that frameworks use in names.
 */
const NAMED = /\\.|\[[^-*+?.^!${}(|)[\]\\]+\]|\[[!^]?(?:[^\\\]]-[^\\\]])+\]|[[\](){}|]/gs;

/** An extended glob such as `@(a|b)`. Its parentheses are part of no name. */
const EXTENDED = /(?<!\\)[!?*+@]\(/;

/** The pattern with brackets, parentheses and braces as parts of names. */
function asName(pattern: string, withRanges: boolean): string {
  return pattern.replaceAll(NAMED, (found) => {
    const isRange = found.startsWith('[') && found.includes('-');
    if (found.length > 1 && !(isRange && withRanges)) return found;
    return found.replaceAll(/[[\](){}|]/g, '\\$&');
  });
}

/** Without a wildcard in its last segment, a pattern may name a directory. */
function isBare(pattern: string): boolean {
  return !/(?<!\\)[*?][^/]*$/.test(pattern);
}
