import { ANYTHING, BELOW, literal, type Part } from './part.ts';

/** Without dots: in some of these patterns picomatch forgets what stands before a dot. */
const PLAIN_DIRECTORIES = /^(?:[\w-]+\/)+/;

/** A superset of a pattern that this code cannot read: everything in the directories that it begins with. */
export function outerBound(pattern: string): Part[] {
  const [directories] = hasTopLevelChoice(pattern) ? [] : (PLAIN_DIRECTORIES.exec(pattern) ?? []);
  return directories === undefined ? [ANYTHING] : [literal(directories.slice(0, -1)), BELOW];
}

/** For picomatch `a|b` outside of parentheses is a choice between whole patterns. */
function hasTopLevelChoice(pattern: string): boolean {
  let text = pattern.replaceAll(/\\./gs, '');
  for (let inner = ''; inner !== text; ) {
    inner = text;
    text = inner.replaceAll(/\([^()]*\)/g, '');
  }
  return text.includes('|');
}
