/** Deeper values in one line, such as `- - - a`. */
const DEEPEST_LINE = 50;
const DEEPEST_INDENT = 2 * DEEPEST_LINE;
const MOST_BRACKETS = 500;
const MOST_EXPLICIT_KEYS = 20;

/**
 * True if the YAML parser must not get a text. For some nested texts of a kilobyte it takes half a minute. Others end
 * the process, which nobody can catch: it builds a regular expression of each indentation.
 */
export function isTooNested(text: string): boolean {
  if (countOf(text, /[[{]/g) > MOST_BRACKETS) return true;
  // Each key of the form `? key` doubles the time of those inside it.
  if (countOf(text, /(?<![^\s\-?:])\?(?=[ \t\n])/g) > MOST_EXPLICIT_KEYS) return true;
  return text.split('\n').some(isDeepLine);
}

function isDeepLine(line: string): boolean {
  const indent = line.length - line.trimStart().length;
  return indent > DEEPEST_INDENT || countOf(line, /[-?:](?=[ \t])/g) > DEEPEST_LINE;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
