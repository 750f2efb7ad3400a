/** Letters of one or two cells, with colours. Every terminal shows such a line the same. */
const SIMPLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  /^(?:[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27ff\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3]|\u001b\[[\d;]*m)*$/;
const ASCII = /^[\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const COLOUR = /\u001b\[[\d;]*m/g;
/** Sequences that select another character set. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const OTHER_LETTERS = /[\u000e\u000f]|\u001b[()*+][^B]|\u001b[no~|}]/;

export interface SimpleRun {
  /** Bytes of the run. */
  bytes: number;
  /** Its lines as a person reads them. */
  lines: readonly string[];
  /** Bytes of its first screen of lines, and of its last. */
  head: number;
  tail: number;
}

/**
 * The simple lines at the beginning of the output, none longer than a row; undefined for fewer than three screens. With
 * `color`, no line may change a colour.
 */
export function simpleRun(
  printed: string,
  { columns, rows, color }: { columns: number; rows: number; color: boolean },
): SimpleRun | undefined {
  const raw: string[] = [];
  const lines: string[] = [];
  for (let at = 0, end = printed.indexOf('\r\n'); end >= 0; at = end + 2, end = printed.indexOf('\r\n', at)) {
    const line = printed.slice(at, end);
    if (!SIMPLE.test(line)) break;
    const text = line.includes('\u001b') ? line.replace(COLOUR, '') : line;
    const cells = ASCII.test(text) ? text.length : text.length * 2;
    if (cells > columns || (color && text !== line)) break;
    raw.push(line);
    lines.push(text);
  }
  if (lines.length < rows * 3) return undefined;
  const sizeOf = (from: number, to: number) => Buffer.byteLength(`${raw.slice(from, to).join('\r\n')}\r\n`);
  const count = lines.length;
  return { bytes: sizeOf(0, count), lines, head: sizeOf(0, rows), tail: sizeOf(count - rows, count) };
}

export function mayShowOtherLetters(printed: string): boolean {
  return OTHER_LETTERS.test(printed);
}
