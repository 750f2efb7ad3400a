import { expect, test } from 'vitest';
import { findingBatch } from '../../../../../daemon/sessions/fake/review/findingBatch.ts';
import type { LookPrompt } from '../../../../../daemon/sessions/fake/review/reviewPrompt.ts';

const FILES: Record<string, string> = { 'a.ts': 'one\n  two\n  defect-1 x\n' };
const find = { severity: 'high' as const, path: 'a.ts', line: 2, claim: 'Wrong bound' };

function batch(about: Partial<LookPrompt> = {}) {
  const prompt: LookPrompt = {
    kind: 'look',
    head: 'c2',
    base: 'c1',
    scope: 'full',
    from: null,
    quotes: [{ path: 'a.ts', lines: [1, 2] }],
    quotesRemoved: [],
    before: '',
    quoting: 'right',
    finds: [],
    findsDefects: false,
    reproduce: null,
    relayed: [],
    prior: [],
    priorVerdict: 'fixed',
    ...about,
  };
  return findingBatch(prompt, (path) => FILES[path]);
}

test('quotes the lines and finds nothing by default', () => {
  const witness = [
    { line: 1, text: 'one' },
    { line: 2, text: '  two' },
  ];
  const coverage = [{ path: 'a.ts', witness }];
  expect(batch()).toEqual({ head: 'c2', base: 'c1', scope: { kind: 'full' }, coverage, findings: [], prior: [] });
});

test('quotes and reports removed lines as they were', () => {
  FILES['.devflow/before/old.ts'] = 'gone 1\ngone 2\n';
  const { coverage, findings } = batch({
    quotes: [],
    quotesRemoved: [{ path: 'old.ts', lines: [2] }],
    before: '.devflow/before',
    finds: [{ severity: 'high', path: 'old.ts', line: 1, claim: 'It was needed', isRemoved: true }],
  });
  expect(coverage).toEqual([{ path: 'old.ts', side: 'old', witness: [{ line: 2, text: 'gone 2' }] }]);
  expect(findings).toMatchObject([{ path: 'old.ts', side: 'old', line: 1, quote: 'gone 1' }]);
});

test('repeats the commit from which it looks', () => {
  expect(batch({ scope: 'delta', from: 'c1' }).scope).toEqual({ kind: 'delta', from: 'c1' });
});

test('quotes wrong texts, or none', () => {
  expect(batch({ quoting: 'wrong' }).coverage[0]?.witness[0]?.text).not.toBe('one');
  expect(batch({ quoting: 'none' }).coverage).toEqual([]);
});

test('reports a defect with its quote', () => {
  const relayed = ['Verdicts: rejected'];
  expect(batch({ finds: [find], reproduce: ['npm', 'test'], relayed }).findings).toEqual([
    {
      ref: 'F1',
      category: 'correctness',
      severity: 'high',
      path: 'a.ts',
      line: 2,
      endLine: 2,
      quote: '  two',
      symbol: null,
      claim: 'Wrong bound',
      failure: expect.any(String),
      evidence: [expect.any(String), 'Verdicts: rejected'],
      reproduce: { argv: ['npm', 'test'] },
      preExisting: false,
    },
  ]);
});

test.each([{ line: 4 }, { path: 'b.ts' }])('reports no defect where there is no line: %j', (where) => {
  expect(batch({ finds: [{ ...find, ...where }] }).findings).toEqual([]);
});

test('reports marked lines once', () => {
  const marked = { severity: 'medium', path: 'a.ts', line: 3, quote: '  defect-1 x' };
  expect(batch({ findsDefects: true }).findings).toMatchObject([marked]);
  const finds = [{ ...find, line: 3 }];
  expect(batch({ findsDefects: true, finds }).findings).toMatchObject([{ claim: 'Wrong bound', line: 3 }]);
});

test('says what became of earlier defects', () => {
  expect(batch({ prior: ['f1'] }).prior).toEqual([{ id: 'f1', verdict: 'fixed', evidence: 'It is gone.' }]);
  expect(batch({ prior: ['f1'], priorVerdict: 'present' }).prior).toMatchObject([{ id: 'f1', verdict: 'present' }]);
});
