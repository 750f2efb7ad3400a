import type { Look, State } from '../../schemas/states/state.ts';
import { visibleJson } from '../../schemas/text/visible.ts';
import { widthOf } from '../client/textWidth.ts';
import type { Io } from '../io/io.ts';
import { fitTable, widthOfTable } from './fitTable.ts';
import { clip, tildePath, visible } from './text.ts';

/** A word in the colour of its look. */
export type Word = Pick<State, 'word' | 'look'>;
export type Cell = string | number | Word | null | undefined;
export interface Column<T> {
  title: string;
  cell(row: T): Cell;
  align?: 'right';
  /** Never cut, because a person decides about it. */
  whole?: true;
  /** A path; shortened if the terminal is too narrow. */
  path?: true;
  /** A text; cut at its end if the terminal is too narrow. */
  cuts?: true;
  /** Dropped if the terminal is too narrow; the highest number first. */
  spare?: number;
  /** Replaces `cell` if the table does not fit the terminal. */
  brief?(row: T): Cell;
}

type Shade = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
const SGR: Record<Shade, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function paint(io: Pick<Io, 'color'>, shade: Shade | undefined, text: string): string {
  if (!io.color || shade === undefined) return text;
  const [on, off] = SGR[shade];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

const SHADES: Readonly<Record<Look, Shade | undefined>> = {
  quiet: undefined,
  busy: 'cyan',
  good: 'green',
  ask: 'yellow',
  bad: 'red',
};

/** The word of a state in its colour. `text` is the word, padded to its column. */
export function paintState(io: Pick<Io, 'color'>, { word, look }: Word, text = visible(word)): string {
  return paint(io, SHADES[look], text);
}

export function yesOrNo(is: boolean): Word {
  return is ? { word: 'yes', look: 'good' } : { word: 'no', look: 'bad' };
}

function textOf(cell: Cell): string {
  return String((typeof cell === 'object' ? cell?.word : cell) ?? '');
}

/** `--json`: exactly the value, on a terminal and in a pipe. Invisible characters are `\u` escapes. */
export function printJson(io: Io, value: unknown): void {
  io.out(`${visibleJson(value, 2)}\n`);
}

/** Prints an array as `printJson` does, but item by item, to save memory. */
export function jsonArrayPrinter(io: Io): { print(item: unknown): void; end(): void } {
  let before = '[';
  return {
    print(item) {
      io.out(`${before}\n  ${visibleJson(item, 2).replaceAll('\n', '\n  ')}`);
      before = ',';
    },
    end: () => io.out(before === '[' ? '[]\n' : '\n]\n'),
  };
}

/** Prints one object on a line: events, and everything with `--follow`. */
export function printJsonLine(io: Io, value: unknown): void {
  io.out(`${visibleJson(value)}\n`);
}

/** Prints a list as JSON or as a table. */
export function printList<T>(
  io: Io,
  {
    json,
    rows,
    columns,
    whenEmpty,
  }: { json?: boolean; rows: readonly T[]; columns: readonly Column<T>[]; whenEmpty: string },
): void {
  if (json) printJson(io, rows);
  else printTable(io, rows, columns, whenEmpty);
}

/** Prints aligned columns. The last one is cut at the terminal's edge, but not in a file. */
export function printTable<T>(io: Io, rows: readonly T[], columns: readonly Column<T>[], whenEmpty: string): void {
  io.out(rows.length === 0 ? `${whenEmpty}\n` : formatTable(io, rows, columns));
}

export function formatTable<T>(
  io: Pick<Io, 'color' | 'columns' | 'env'>,
  rows: readonly T[],
  all: readonly Column<T>[],
): string {
  const { columns, texts } = fitted(io, rows, all);
  const cells = rows.map((row) => columns.map(({ cell }) => cell(row)));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((line) => widthOf(line[at] ?? ''))),
  );
  const line = (shown: string[], shade: (at: number, text: string) => string) => {
    let left = io.columns;
    const parts = columns.map(({ align, whole }, at) => {
      const last = at === columns.length - 1;
      const text = last && !whole ? clip(shown[at] ?? '', Math.max(8, left)) : (shown[at] ?? '');
      const width = widths[at] ?? 0;
      const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
      left -= width + 2;
      const padded = align === 'right' ? gap + text : last ? text : text + gap;
      return shade(at, padded);
    });
    return parts.join('  ').trimEnd();
  };
  const head = line(
    columns.map(({ title }) => title),
    (_, text) => paint(io, 'bold', text),
  );
  const body = texts.map((shown, row) =>
    line(shown, (at, text) => {
      const cell = cells[row]?.[at];
      return cell !== null && typeof cell === 'object' ? paintState(io, cell, text) : text;
    }),
  );
  return `${[head, ...body].join('\n')}\n`;
}

/** The columns and cells that fit this terminal. Without a terminal, all of them. */
function fitted<T>(io: Pick<Io, 'columns' | 'env'>, rows: readonly T[], columns: readonly Column<T>[]) {
  const read = (isBrief: boolean) =>
    rows.map((row) =>
      columns.map(({ cell, brief, path }) => {
        const text = visible(textOf(isBrief && brief ? brief(row) : cell(row)).trimEnd()) || '–';
        return path && Number.isFinite(io.columns) ? tildePath(text, io.env) : text;
      }),
    );
  const whole = read(false);
  const isWide = widthOfTable(columns, whole) <= io.columns;
  const { kept, texts } = isWide
    ? { kept: columns.map((_, at) => at), texts: whole }
    : fitTable(columns, read(true), io.columns);
  return {
    columns: kept.map((at) => columns[at] as Column<T>),
    texts: texts.map((row) => kept.map((at) => row[at] ?? '')),
  };
}

/** Prints facts about one thing: names on the left, values on the right. Leaves out null values. */
export function printFacts(io: Io, facts: readonly (readonly [string, Cell])[]): void {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  for (const [name, value] of shown) {
    const text = visible(textOf(value).trimEnd());
    const shown = value !== null && typeof value === 'object' ? paintState(io, value, text) : text;
    io.out(`${paint(io, 'dim', name.padEnd(width))}  ${shown}\n`);
  }
}

/** Prints a heading between the parts of a longer answer. */
export function printHeading(io: Io, text: string): void {
  io.out(`\n${paint(io, 'bold', visible(text))}\n`);
}

/** A table under its heading; nothing without rows. */
export function printPart<T>(io: Io, heading: string, rows: readonly T[], columns: readonly Column<T>[]): void {
  if (rows.length === 0) return;
  printHeading(io, heading);
  printTable(io, rows, columns, 'none');
}
