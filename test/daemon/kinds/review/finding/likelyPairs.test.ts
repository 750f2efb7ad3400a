import { expect, it } from 'vitest';
import { likelyPairs } from '../../../../../daemon/kinds/review/finding/likelyPairs.ts';
import type { Known } from '../../../../../daemon/kinds/review/finding/sameFinding.ts';
import { known } from './support/described.ts';

const pairsOf = (findings: readonly Known[]) => likelyPairs(findings, { samePlace: true });

it('pairs findings about one symbol, in one file or in two', () => {
  const findings = [
    known('a', { symbol: 'load', summary: 'One' }),
    known('b', { symbol: 'load', path: 'src/z.ts', summary: 'Two', anchor: null }),
    known('c', { symbol: 'store', path: 'src/y.ts', summary: 'Three' }),
  ];
  expect(pairsOf(findings)).toEqual([['a', 'b']]);
});

it('pairs findings within ten lines that share two words', () => {
  const at = (line: number, summary: string) =>
    pairsOf([
      known('a', { symbol: null, line: 10, summary: 'The request timeout is ignored' }),
      known('b', { symbol: null, line, summary, quote: 'x', anchor: { line, text: 'x', occurrence: 1 } }),
    ]);
  expect(at(20, 'A request without timeout')).toEqual([['a', 'b']]);
  expect(at(21, 'A request without timeout')).toEqual([]);
  expect(at(11, 'A request without limit')).toEqual([]);
});

it('pairs what points at one place, whatever the words, before all others', () => {
  const at = { line: 10, text: 'constresult=load();', occurrence: 1 };
  const findings = [
    known('words', {
      symbol: null,
      line: 14,
      summary: 'The request timeout is ignored by load',
      anchor: { ...at, line: 14, text: 'x' },
      quote: 'x',
    }),
    known('a', { symbol: null, anchor: at, summary: 'The request timeout is ignored' }),
    known('b', { symbol: null, anchor: at, summary: 'A path can leave the directory', category: 'security' }),
    known('c', { symbol: null, anchor: null, summary: 'Too slow' }),
    known('d', { symbol: null, line: 30, quote: 'y', anchor: { ...at, line: 30 }, summary: 'Wrong' }),
  ];
  expect(pairsOf(findings)).toEqual([
    ['a', 'b'],
    ['a', 'c'],
    ['b', 'c'],
    ['words', 'a'],
  ]);
  expect(likelyPairs(findings, { samePlace: false })).toEqual([['words', 'a']]);
});

it('pairs no findings without symbol and without anchor', () => {
  expect(
    pairsOf([known('a', { symbol: null, anchor: null, quote: 'one' }), known('b', { symbol: null, anchor: null })]),
  ).toEqual([]);
});

it('names a pair once, the likeliest first', () => {
  const findings = [
    known('use', { line: 80, summary: 'Nobody expects an exception' }),
    known('one', { line: 10, summary: 'Throws for empty text' }),
    known('two', { line: 12, summary: 'Throws without text' }),
  ];
  expect(pairsOf(findings)).toEqual([
    ['one', 'two'],
    ['use', 'one'],
    ['use', 'two'],
  ]);
});

it('gives two hundred pairs at most', () => {
  const findings = Array.from({ length: 1_000 }, (_, at) => known(`finding-${at}`, { line: at + 1 }));
  const pairs = pairsOf(findings);
  expect(pairs).toHaveLength(200);
  expect(new Set(pairs.map((pair) => pair.join(' '))).size).toBe(200);
});
