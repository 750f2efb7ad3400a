import { describe, expect, test } from 'vitest';
import { fitTable } from '../../../cli/print/fitTable.ts';

const COLUMNS = [
  { title: 'RUN' },
  { title: 'TITLE', cuts: true as const },
  { title: 'TEMPLATE', spare: 2 },
  { title: 'PHASE', spare: 1 },
  { title: 'REPOSITORY', path: true as const },
  { title: 'STATE' },
];
const row = (run: string, phase: string, repository = '/home/ada/src/greeting') => [
  run,
  'Greet a person by name, and without one as before',
  'development@1',
  phase,
  repository,
  'executing',
];
const titlesAt = (texts: string[][], width: number) =>
  fitTable(COLUMNS, texts, width).kept.map((at) => COLUMNS[at]?.title);

describe('columns that say the same in each row', () => {
  const texts = [row('3f9a1c2d', 'plan'), row('86d81a2b', 'implement')];

  test('give way before a title is cut short', () => {
    expect(titlesAt(texts, 200)).toEqual(['RUN', 'TITLE', 'TEMPLATE', 'PHASE', 'REPOSITORY', 'STATE']);
    expect(titlesAt(texts, 100)).toEqual(['RUN', 'TITLE', 'PHASE', 'REPOSITORY', 'STATE']);
    expect(titlesAt(texts, 80)).toEqual(['RUN', 'TITLE', 'PHASE', 'STATE']);
  });
  test('stay where another row says something else, as long as the least of all fits', () => {
    const others = [row('3f9a1c2d', 'plan', '/srv/other'), row('86d81a2b', 'implement')];
    expect(titlesAt(others, 80)).toEqual(['RUN', 'TITLE', 'PHASE', 'REPOSITORY', 'STATE']);
    expect(titlesAt(others, 60)).toEqual(['RUN', 'TITLE', 'REPOSITORY', 'STATE']);
  });
  test('stay in a single row, which has nothing to be told from', () => {
    expect(titlesAt(texts.slice(0, 1), 88)).toEqual(['RUN', 'TITLE', 'TEMPLATE', 'PHASE', 'REPOSITORY', 'STATE']);
  });
});

test('a title is cut at its end, and the table fits', () => {
  for (let width = 50; width <= 200; width += 1) {
    const { kept, texts } = fitTable(COLUMNS, [row('3f9a1c2d', 'plan'), row('86d81a2b', 'verify')], width);
    const lines = texts.map((cells) => kept.map((at) => cells[at] ?? ''));
    const widths = kept.map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
    expect(`${width}:${widths.reduce((sum, each) => sum + each + 2, -2) <= width}`).toBe(`${width}:true`);
    for (const cells of lines) expect(cells[1]).toMatch(/^Greet a person(…|.*(…|before))$/);
  }
});
