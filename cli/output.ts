import { visibleJson } from '../schemas/visible.ts';
import { widthOf } from './client/textWidth.ts';
import type { Io } from './io.ts';
import { clip, visible } from './text.ts';

export type Cell = string | number | null | undefined;
export interface Column<T> {
  title: string;
  cell(row: T): Cell;
  align?: 'right';
  /** Colours by what the cell says, as `paint` does for states. */
  state?: boolean;
  /** Never cut, because it is under decision. */
  whole?: true;
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

const SHADES: [Shade, RegExp][] = [
  ['green', /^(completed|approved|pass|ok|yes|READY)$/],
  ['red', /^(failed|rejected|aborted|fail|no|CRASHED|HUNG|FAILED_NEEDS_HUMAN|ARTIFACT_TIMEOUT)$/],
  ['yellow', /^(paused|pending|awaiting_approval|changes_requested|warn|WAITING_FOR_APPROVAL)$/],
  ['cyan', /^(planning|executing|running|awaiting_artifact|validating|BUSY|BOOTSTRAPPING)$/],
];

/** A state in its colour. */
export function paintState(io: Pick<Io, 'color'>, state: string, text = state): string {
  return paint(io, SHADES.find(([, words]) => words.test(state))?.[0], text);
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

/** One object a line: `events`, and whatever follows. */
export function printJsonLine(io: Io, value: unknown): void {
  io.out(`${visibleJson(value)}\n`);
}

/** Aligned columns; the last one is cut at the terminal's edge, never in a file. */
export function printTable<T>(io: Io, rows: readonly T[], columns: readonly Column<T>[], whenEmpty: string): void {
  io.out(rows.length === 0 ? `${whenEmpty}\n` : formatTable(io, rows, columns));
}

export function formatTable<T>(
  io: Pick<Io, 'color' | 'columns'>,
  rows: readonly T[],
  columns: readonly Column<T>[],
): string {
  const texts = rows.map((row) => columns.map(({ cell }) => visible(String(cell(row) ?? '').trimEnd()) || '–'));
  const widths = columns.map(({ title }, at) =>
    Math.max(widthOf(title), ...texts.map((line) => widthOf(line[at] ?? ''))),
  );
  const line = (cells: string[], shade: (at: number, text: string, cell: string) => string) => {
    let left = io.columns;
    const parts = columns.map(({ align, whole }, at) => {
      const last = at === columns.length - 1;
      const text = last && !whole ? clip(cells[at] ?? '', Math.max(8, left)) : (cells[at] ?? '');
      const width = widths[at] ?? 0;
      const gap = ' '.repeat(Math.max(0, width - widthOf(text)));
      left -= width + 2;
      const padded = align === 'right' ? gap + text : last ? text : text + gap;
      return shade(at, padded, cells[at] ?? '');
    });
    return parts.join('  ').trimEnd();
  };
  const head = line(
    columns.map(({ title }) => title),
    (_, text) => paint(io, 'bold', text),
  );
  const body = texts.map((cells) =>
    line(cells, (at, text, cell) => (columns[at]?.state ? paintState(io, cell, text) : text)),
  );
  return `${[head, ...body].join('\n')}\n`;
}

/** Facts about one thing: names on the left, values on the right; what is null is left out. */
export function printFacts(io: Io, facts: readonly (readonly [string, Cell])[]): void {
  const shown = facts.filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => widthOf(name)));
  for (const [name, value] of shown) {
    const text = visible(String(value).trimEnd());
    io.out(`${paint(io, 'dim', name.padEnd(width))}  ${paintState(io, text)}\n`);
  }
}

/** A heading between the parts of a longer answer. */
export function printHeading(io: Io, text: string): void {
  io.out(`\n${paint(io, 'bold', visible(text))}\n`);
}
