import type { LineStyle } from './lineStyle.ts';

/** Letters of one or two cells that every terminal shows alike. */
const SIMPLE =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0400-\u0482\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u27ff\u3041-\u3096\u4e00-\u9fff\uac00-\ud7a3]*$/;
const ASCII = /^[\x20-\x7e]*$/;
/** Sequences that select another character set. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: sequences begin with one
const OTHER_LETTERS = /[\u000e\u000f]|\u001b[()*+][^B]|\u001b[no~|}]/;
const PARAMETERS = /^[\d;]*$/;
const ESC = '\u001b';

export interface SimpleRun {
  /** Bytes of the run. */
  bytes: number;
  /** The lines of the run as a person reads them. */
  lines: readonly string[];
  /** Bytes of its first screen of lines, and of its last. */
  head: number;
  tail: number;
  /** The style of the last screen of lines. */
  tailStyle: LineStyle;
}

/**
 * The simple lines at the beginning of the output, none longer than a row; undefined for fewer than three screens. `start` is
 * the style in which they are assumed to begin.
 */
export function simpleRun(
  printed: string,
  { columns, rows, color, start }: { columns: number; rows: number; color: boolean; start: LineStyle },
): SimpleRun | undefined {
  const ends = [0];
  const lines: string[] = [];
  const before = [start];
  let style = start;
  for (let at = 0, end = printed.indexOf('\r\n'); end >= 0; at = end + 2, end = printed.indexOf('\r\n', at)) {
    const line = simpleLine(printed.slice(at, end), style, columns, color);
    if (line === undefined) break;
    style = line.style;
    lines.push(line.text);
    ends.push(end + 2);
    before.push(style);
  }
  const count = lines.length;
  if (count < rows * 3) return undefined;
  const size = (from: number, to: number) => Buffer.byteLength(printed.slice(ends[from], ends[to]));
  const [head, tail] = [size(0, rows), size(count - rows, count)];
  return { bytes: size(0, count), lines, head, tail, tailStyle: before[count - rows] as LineStyle };
}

/** The text that `rowText` returns for a row with only this line. */
function simpleLine(
  line: string,
  start: LineStyle,
  columns: number,
  color: boolean,
): { text: string; style: LineStyle } | undefined {
  if (!line.includes(ESC) && start.text === '') {
    return fits(line, columns) ? { text: line.trimEnd(), style: start } : undefined;
  }
  const parts = line.split(`${ESC}[`);
  let letters = parts[0] as string;
  let [text, run, runStyle, style] = ['', letters, start.text, start];
  for (let at = 1; at < parts.length; at += 1) {
    const part = parts[at] as string;
    const end = part.indexOf('m');
    const parameters = part.slice(0, Math.max(0, end));
    const next = end < 0 || !PARAMETERS.test(parameters) ? undefined : style.after(parameters);
    if (next === undefined) return undefined;
    style = next;
    const more = part.slice(end + 1);
    if (more === '') continue;
    letters += more;
    if (style.text !== runStyle) {
      text += styled(run, runStyle);
      [run, runStyle] = ['', style.text];
    }
    run += more;
  }
  // A terminal fills the next row with the background.
  if (style.hasGround || !fits(letters, columns)) return undefined;
  if (!color) return { text: letters.trimEnd(), style };
  return { text: text + styled(runStyle === '' ? run.trimEnd() : run, runStyle), style };
}

function styled(run: string, style: string): string {
  return style === '' || run === '' ? run : `${ESC}[0;${style}m${run}${ESC}[m`;
}

function fits(letters: string, columns: number): boolean {
  if (ASCII.test(letters)) return letters.length <= columns;
  return letters.length * 2 <= columns && SIMPLE.test(letters);
}

export function mayShowOtherLetters(printed: string): boolean {
  return OTHER_LETTERS.test(printed);
}
