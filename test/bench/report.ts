import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bench, type Figure, summarise } from './figure.ts';
import { ROOT } from './place.ts';

export interface Row {
  bench: Bench;
  figures: Figure[];
}

/** For a terminal: aligned columns. */
export function asTable({ bench, figures }: Row): string {
  const lines = [['', 'min', 'median', 'max', 'aim', ''], ...figures.map(cells)];
  const widths = (lines[0] as string[]).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  return [bench.title, ...text.map((line) => `  ${line}`), ''].join('\n');
}

export function asData(rows: readonly Row[], machine: Record<string, string>): unknown {
  return {
    machine,
    rows: rows.map(({ bench, figures }) => ({
      name: bench.name,
      figures: figures.map((figure) => ({ ...figure, name: figure.name.trim(), ...summarise(figure) })),
    })),
  };
}

const FILE = join(ROOT, 'docs', 'benchmarks.md');
const BEGIN = '<!-- figures: written by npm run bench -- --write -->';
const END = '<!-- /figures -->';

/** Puts the figures into the document. The text around them stays. */
export function writeDocument(rows: readonly Row[], machine: Record<string, string>): void {
  const text = readFileSync(FILE, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${FILE} lacks ${BEGIN} … ${END}`);
  const figures = [BEGIN, '', ...machineLines(machine), ...rows.flatMap(section), ''].join('\n');
  writeFileSync(FILE, text.slice(0, begin) + figures + text.slice(end));
}

function machineLines(machine: Record<string, string>): string[] {
  return ['| | |', '|---|---|', ...Object.entries(machine).map(([name, value]) => `| ${name} | ${value} |`), ''];
}

function section({ bench, figures }: Row): string[] {
  const lines = figures.map(
    (figure) =>
      `| ${cells(figure)
        .map((cell) => cell.trim())
        .join(' | ')} |`,
  );
  const head = ['| | min | median | max | aim | |', '|---|--:|--:|--:|--:|---|'];
  return [`## ${bench.title}`, '', bench.reading, '', ...head, ...lines, ''];
}

function cells(figure: Figure): string[] {
  const { name, unit, aim } = figure;
  const { min, median, max, met } = summarise(figure);
  const wanted = aim ? ('atLeast' in aim ? `≥ ${show(aim.atLeast)} ${unit}` : `< ${show(aim.below)} ${unit}`) : '';
  return [
    name,
    show(min),
    `${show(median)} ${unit}`,
    show(max),
    wanted,
    met === undefined ? '' : met ? 'met' : 'missed',
  ];
}

/** Three significant digits, with separated thousands. */
function show(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
