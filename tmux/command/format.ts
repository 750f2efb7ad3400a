import { TmuxError } from './errors.ts';

/**
 * A format for rows with any values. `q:` puts a backslash before `|`, `\` and `%`, so a bare `|` ends a field. A field
 * may contain a newline, as a directory's name can. No line of a row looks like an `%end` of the control protocol.
 */
export function formatRow(fields: readonly string[]): string {
  return fields.map((field) => `#{q:${field}}|`).join('');
}

/** Cuts the output of `formatRow` with `width` fields into rows. Throws `protocol` for a torn row. */
export function parseRows(lines: readonly string[], width: number): string[][] {
  const text = lines.join('\n');
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === '\\') field += text[++at] ?? '';
    else if (character !== '|') field += character;
    else {
      row.push(field);
      field = '';
      if (row.length < width) continue;
      rows.push(row);
      row = [];
      // The newline between rows.
      if (at + 1 < text.length && text[++at] !== '\n') throw torn();
    }
  }
  if (row.length > 0 || field !== '') throw torn();
  return rows;
}

/** Format names by property, and how to read each value. */
export type Columns = Readonly<Record<string, readonly [format: string, read: (text: string) => unknown]>>;
export type RowOf<C extends Columns> = { readonly [K in keyof C]: ReturnType<C[K][1]> };

/** A table's format and parser, from one description. */
export function table<C extends Columns>(
  columns: C,
): { format: string; parse: (lines: readonly string[]) => RowOf<C>[] } {
  const entries = Object.entries(columns);
  return {
    format: formatRow(entries.map(([, [format]]) => format)),
    parse: (lines) =>
      parseRows(lines, entries.length).map(
        (row) => Object.fromEntries(entries.map(([key, [, read]], at) => [key, read(row[at] as string)])) as RowOf<C>,
      ),
  };
}

export const text = (value: string): string => value;
export const number = (value: string): number => Number(value);
export const flag = (value: string): boolean => value !== '' && value !== '0';
/** Absent values are empty in tmux. */
export const maybe = (value: string): string | undefined => (value === '' ? undefined : value);
export const maybeNumber = (value: string): number | undefined => (value === '' ? undefined : Number(value));

function torn(): TmuxError {
  return new TmuxError('protocol', 'tmux returned an incomplete row.');
}
