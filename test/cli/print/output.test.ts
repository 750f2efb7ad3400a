import { describe, expect, test } from 'vitest';
import { terminalText, wantsColor } from '../../../cli/io/io.ts';
import { type Column, formatTable, jsonArrayPrinter, printJson } from '../../../cli/print/output.ts';
import { clip } from '../../../cli/print/text.ts';
import { fakeIo } from '../fakeIo.ts';

const COLUMNS: Column<{ name: string; state: string; n: number }>[] = [
  { title: 'NAME', cell: (row) => row.name },
  { title: 'N', cell: (row) => row.n, align: 'right' },
  { title: 'STATE', cell: (row) => ({ word: row.state, look: 'bad' }) },
];
const PLAIN = { color: false, columns: Number.POSITIVE_INFINITY, env: { HOME: '/home/ada' } };

describe('formatTable', () => {
  test('aligns by what a terminal shows, not by code units', () => {
    const rows = [
      { name: '日本', state: 'failed', n: 1 },
      { name: 'e\u0301a', state: 'completed', n: 10 },
    ];
    expect(formatTable(PLAIN, rows, COLUMNS)).toBe(
      ['NAME   N  STATE', '日本   1  failed', 'e\u0301a    10  completed', ''].join('\n'),
    );
  });
  test('cuts the last column at the edge of a terminal only', () => {
    const rows = [{ name: 'a', state: 'x'.repeat(50), n: 1 }];
    expect(formatTable({ ...PLAIN, columns: 24 }, rows, COLUMNS).split('\n')[1]).toHaveLength(24);
    expect(formatTable(PLAIN, rows, COLUMNS)).toContain('x'.repeat(50));
  });
  test('colours states, and nothing without colour', () => {
    const rows = [{ name: 'a', state: 'failed', n: 1 }];
    expect(formatTable({ ...PLAIN, color: true }, rows, COLUMNS)).toContain('\u001b[31mfailed');
    expect(formatTable(PLAIN, rows, COLUMNS)).not.toContain('\u001b');
  });
  test("keeps an agent's text inside its cell", () => {
    const rows = [{ name: 'a\nb\u001b[2Jc', state: 'x', n: 1 }];
    expect(formatTable(PLAIN, rows, COLUMNS).split('\n')[1]).toBe('a␊b␛[2Jc  1  x');
  });
});

test('cutting', () => {
  expect(clip('日本語', 4)).toBe('日…');
  expect(clip('👨‍👩‍👧 and on', 8)).toBe('👨‍👩‍👧 …');
  expect(clip('abc', 3)).toBe('abc');
});

test('passes newlines and colours to the terminal, and no other sequence', () => {
  expect(terminalText('\u001b[31ma\u001b[m\n\u001b]52;c;aGk=\u0007\u202e\r')).toBe(
    '\u001b[31ma\u001b[m\n␛]52;c;aGk=␇<U+202E>␍',
  );
});

test('NO_COLOR wins over FORCE_COLOR, which wins over the terminal', () => {
  expect(wantsColor({}, true)).toBe(true);
  expect(wantsColor({}, false)).toBe(false);
  expect(wantsColor({ TERM: 'dumb' }, true)).toBe(false);
  expect(wantsColor({ FORCE_COLOR: '1' }, false)).toBe(true);
  expect(wantsColor({ FORCE_COLOR: '1', NO_COLOR: '1' }, true)).toBe(false);
});

test.each([[[]], [[1]], [[{ a: ['b\n'], c: {} }, 'x\u202e']]])(
  'an array printed item by item is the same JSON: %j',
  (items) => {
    const [whole, parts] = [fakeIo(), fakeIo()];
    printJson(whole, items);
    const printer = jsonArrayPrinter(parts);
    for (const item of items) printer.print(item);
    printer.end();
    expect(parts.written.out).toBe(whole.written.out);
  },
);

describe('a table with paths', () => {
  const path = '/home/ada/src/customers/a-very-long-name-of-a-directory/and-one-more/ledger';
  const rows = [{ name: path, state: 'a decision at spec_approved (spec)', n: 1 }];
  const columns: Column<(typeof rows)[number]>[] = [
    { title: 'RUN', cell: () => '3f9a1c22' },
    { title: 'BASE', cell: () => 'main', spare: 2 },
    { title: 'CREATED', cell: () => '2026-11-22 06:12:12', brief: () => '4 min' },
    { title: 'REPOSITORY', cell: (row) => row.name, path: true },
    { title: 'WAITING FOR', cell: (row) => row.state },
  ];

  test('fits every terminal that has room for what must stay', () => {
    for (let width = 50; width <= 250; width += 1) {
      const lines = formatTable({ ...PLAIN, columns: width }, rows, columns)
        .trimEnd()
        .split('\n');
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
      expect(lines[1]).toContain('ledger');
      expect(lines[1]).toContain('a decision');
    }
  });
  test('shortens the path in the middle, and leaves out what can be spared', () => {
    const at = (width: number) => formatTable({ ...PLAIN, columns: width }, rows, columns).split('\n')[1];
    expect(at(200)).toContain('2026-11-22 06:12:12  ~/src/customers/a-very-long-name');
    expect(at(90)).toContain('3f9a1c22  main  4 min    ~/…/a');
    expect(at(45)).toContain('3f9a1c22  4 min    ~/…/ledger');
  });
  test('prints whole paths to a file', () => {
    expect(formatTable(PLAIN, rows, columns)).toContain(`${path}  a decision at spec_approved (spec)`);
  });
});
