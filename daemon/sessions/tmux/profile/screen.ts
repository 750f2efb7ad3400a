/** A pane's rows with escape sequences, as tmux captures them. */
export interface Screen {
  readonly lines: readonly string[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of colours are what is removed.
const SGR = /\x1b\[([0-9;:]*)m/g;

/** The row without escape sequences for colours. */
export function plain(row: string): string {
  return row.replace(SGR, '');
}

/**
 * The written part of the row: dim text is a placeholder. One inverse character before dim text is a cursor drawn on
 * it.
 */
export function written(row: string): string {
  let dim = false;
  let inverse = false;
  let text = '';
  let cursor = '';
  let at = 0;
  const take = (piece: string): void => {
    if (piece === '') return;
    if (dim) {
      cursor = '';
      return;
    }
    text += cursor;
    cursor = '';
    if (inverse && [...piece].length === 1) cursor = piece;
    else text += piece;
  };
  for (const match of row.matchAll(SGR)) {
    take(row.slice(at, match.index));
    at = match.index + match[0].length;
    for (const code of codesOf(match[1] ?? '')) {
      if (code === 0) [dim, inverse] = [false, false];
      else if (code === 2) dim = true;
      else if (code === 22) dim = false;
      else if (code === 7) inverse = true;
      else if (code === 27) inverse = false;
    }
  }
  take(row.slice(at));
  return text + cursor.trim();
}

/** The separate codes, without the parameters of a colour (`38;5;2`, `38;2;r;g;b`). */
function codesOf(text: string): number[] {
  const parts = text.split(';').map((part) => (part.includes(':') ? -1 : Number(part)));
  const codes: number[] = [];
  for (let at = 0; at < parts.length; at++) {
    const code = parts[at] as number;
    if (code === 38 || code === 48 || code === 58) at += parts[at + 1] === 5 ? 2 : 4;
    else codes.push(code);
  }
  return codes;
}

/** The text between the last two horizontal rules, without the prompt glyph; undefined if there are no such rows. */
export function composerBetweenRules(screen: Screen, glyph: RegExp): string | undefined {
  const isRule = (row: string) => /^[╭╰]?─{8,}[╮╯]?\s*$/.test(plain(row));
  const end = screen.lines.findLastIndex(isRule);
  const start = screen.lines.slice(0, Math.max(0, end)).findLastIndex(isRule);
  // A composer has at most a few hint rows below it; more rows are a dialog below its rule.
  const below = screen.lines.slice(end + 1).filter((row) => plain(row).trim() !== '');
  if (start < 0 || below.length > 3) return undefined;
  const rows = screen.lines.slice(start + 1, end);
  const first = rows[0];
  if (first === undefined || rows.length > 60) return undefined;
  // A long text may show only its last rows, without the glyph.
  if (!glyph.test(plain(first))) return rows.map(plain).join('\n').trim() || undefined;
  return rows
    .map((row, nth) => (nth === 0 ? written(row).replace(glyph, '') : written(row)))
    .join('\n')
    .trim();
}
