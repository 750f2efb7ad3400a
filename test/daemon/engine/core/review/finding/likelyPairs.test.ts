import { expect, it } from 'vitest';
import { likelyPairs } from '../../../../../../daemon/engine/core/review/finding/likelyPairs.ts';
import { known } from './support/described.ts';

it('pairs findings about one symbol, in one file or in two', () => {
  const findings = [
    known('a', { symbol: 'load', summary: 'One' }),
    known('b', { symbol: 'load', path: 'src/z.ts', summary: 'Two', anchor: null }),
    known('c', { symbol: 'store', path: 'src/y.ts', summary: 'Three' }),
  ];
  expect(likelyPairs(findings)).toEqual([['a', 'b']]);
});

it('pairs findings within ten lines that share two words', () => {
  const at = (line: number, summary: string) =>
    likelyPairs([
      known('a', { symbol: null, line: 10, summary: 'The request timeout is ignored' }),
      known('b', { symbol: null, line, summary }),
    ]);
  expect(at(20, 'A request without timeout')).toEqual([['a', 'b']]);
  expect(at(21, 'A request without timeout')).toEqual([]);
  expect(at(11, 'A request without limit')).toEqual([]);
});

it('pairs no findings without symbol and without anchor', () => {
  expect(likelyPairs([known('a', { symbol: null, anchor: null }), known('b', { symbol: null, anchor: null })])).toEqual(
    [],
  );
});

it('names a pair once, the likeliest first', () => {
  const findings = [
    known('use', { line: 80, summary: 'Nobody expects an exception' }),
    known('one', { line: 10, summary: 'Throws for empty text' }),
    known('two', { line: 12, summary: 'Throws without text' }),
  ];
  expect(likelyPairs(findings)).toEqual([
    ['one', 'two'],
    ['use', 'one'],
    ['use', 'two'],
  ]);
});

it('gives two hundred pairs at most', () => {
  const findings = Array.from({ length: 1_000 }, (_, at) => known(`finding-${at}`, { line: at + 1 }));
  const pairs = likelyPairs(findings);
  expect(pairs).toHaveLength(200);
  expect(new Set(pairs.map((pair) => pair.join(' '))).size).toBe(200);
});
