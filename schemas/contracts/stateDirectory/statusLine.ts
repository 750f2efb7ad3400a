/** A status stands in the first lines of a markdown. */
const FIRST_LINES = 100;
/** The largest distance from its heading. */
const BELOW = 4;

export interface StatusLine {
  /** Its first word: what follows is a remark. Empty if the heading has no value. */
  status: string;
  line: number;
}

/**
 * The `## Status` of a markdown, with its value on the same line or below, as upstream reads it. Undefined if there is
 * none.
 */
export function readStatus(text: string): StatusLine | undefined {
  const lines = text.split('\n', FIRST_LINES + BELOW).map((line) =>
    line
      .slice(0, 1000)
      .replace(/^\uFEFF/, '')
      .trim(),
  );
  for (const [index, line] of lines.slice(0, FIRST_LINES).entries()) {
    const [heading, value = ''] = /^##[ \t]+Status[ \t]*(?::(.*))?$/i.exec(line) ?? [];
    if (heading === undefined) continue;
    if (value.trim() !== '') return { status: firstWord(value), line: index + 1 };
    const below = lines.slice(index + 1, index + 1 + BELOW);
    const at = below.findIndex((each) => each !== '' && !each.startsWith('#'));
    return at < 0 ? { status: '', line: index + 1 } : { status: firstWord(below[at] as string), line: index + 2 + at };
  }
  return undefined;
}

function firstWord(text: string): string {
  return text.trim().split(/\s/, 1)[0] as string;
}
