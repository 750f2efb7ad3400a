import { expect, test } from 'vitest';
import type { VerdictPrompt } from '../../../../../daemon/sessions/fake/review/reviewPrompt.ts';
import { verdictsOn } from '../../../../../daemon/sessions/fake/review/verdicts.ts';

const f1 = { id: 'f1', path: 'a.ts', line: 2 };
const f2 = { id: 'f2', path: 'gone.ts', line: 1 };
const quote = { path: 'a.ts', line: 2, text: 'two' };

const verdicts = (about: Partial<VerdictPrompt> = {}) =>
  verdictsOn({ kind: 'verdict', findings: [f1], verdict: 'confirmed', duplicates: [], ...about }, (path) =>
    path === 'a.ts' ? 'one\ntwo\n' : undefined,
  ).verdicts;

test('answers about each finding, with a quote where the line is there', () => {
  expect(verdicts({ findings: [f1, f2] })).toEqual([
    { id: 'f1', verdict: 'confirmed', duplicateOf: null, quote, reason: expect.any(String) },
    { id: 'f2', verdict: 'confirmed', duplicateOf: null, quote: null, reason: expect.any(String) },
  ]);
});

test.each([
  ['rejected', { verdict: 'rejected', quote }],
  ['unquoted', { verdict: 'rejected', quote: null }],
  ['misquoted', { verdict: 'rejected', quote: { path: 'a.ts', line: 2, text: expect.stringMatching(/misquoted/) } }],
  ['cannot_tell', { verdict: 'cannot_tell', quote: null }],
] as const)('the word %s', (verdict, answer) => {
  expect(verdicts({ verdict })).toMatchObject([answer]);
});

test('names the finding that a duplicate repeats', () => {
  const findings = [f1, { ...f1, id: 'f3' }];
  const duplicate = { id: 'f3', verdict: 'duplicate', duplicateOf: 'f1', quote };
  expect(verdicts({ findings, duplicates: [{ finding: 2, of: 1 }] })).toMatchObject([
    { verdict: 'confirmed' },
    duplicate,
  ]);
});

test.each([
  { finding: 1, of: 9 },
  { finding: 1, of: 1 },
])('ignores a duplicate of nothing else: %j', (duplicate) => {
  expect(verdicts({ duplicates: [duplicate] })).toMatchObject([{ verdict: 'confirmed', duplicateOf: null }]);
});
