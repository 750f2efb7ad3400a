/** A status stands in the first lines of a markdown. */
const FIRST_LINES = 100;
/** How far below its heading. */
const BELOW = 4;

export interface StatusLine {
  /** Empty if the heading has no value. */
  status: string;
  line: number;
}

/** The `## Status` of a markdown, with its value on the same line or below; undefined if there is none. */
export function readStatus(text: string): StatusLine | undefined {
  const lines = text.split('\n', FIRST_LINES + BELOW).map((line) => line.slice(0, 1000));
  for (const [index, line] of lines.slice(0, FIRST_LINES).entries()) {
    const [heading, value = ''] = /^\uFEFF?##[ \t]+Status[ \t]*(?::(.*))?$/.exec(line.trimEnd()) ?? [];
    if (heading === undefined) continue;
    if (value.trim() !== '') return { status: value.trim(), line: index + 1 };
    const below = lines.slice(index + 1, index + 1 + BELOW);
    const at = below.findIndex((each) => each.trim() !== '');
    return at < 0 ? { status: '', line: index + 1 } : { status: (below[at] as string).trim(), line: index + 2 + at };
  }
  return undefined;
}
