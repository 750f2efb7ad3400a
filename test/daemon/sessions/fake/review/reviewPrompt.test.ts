import { describe, expect, it } from 'vitest';
import { LOOK, VERDICT } from '../../../../../daemon/kinds/review/prompts.ts';
import { readReviewPrompt } from '../../../../../daemon/sessions/fake/review/reviewPrompt.ts';

const BATCH = 'dev/review-finding-batch@1';

function look(lines: string, { roleId = 'reviewer#0', attempt = 1, review = 'head c2 base c1 scope full' } = {}) {
  const instructions = [
    ...[`Requirements:\n${lines}\n`, `Review: ${review}`, 'Quote: src/a b.ts: 1, 12', 'Quote: c.ts: 3'],
    ...['Prior: f1 src/a.ts:3 high Wrong: see b.ts:4 low', '', LOOK.full, LOOK.prior, LOOK.artifact],
  ].join('\n');
  return readReviewPrompt({ expectedSchema: BATCH, instructions, roleId }, attempt);
}

const asked = (expectedSchema: string, lines: string, roleId = 'verifier') =>
  readReviewPrompt({ expectedSchema, instructions: `${lines}\n${VERDICT}`, roleId }, 1);
const FINDING = 'Finding: f1 src/a b.ts:3 high Wrong: see b.ts:4 low case\n  quotes: Finding: f9 x.ts:1 low no';

describe('a look', () => {
  it('has the commits, the lines to quote and the earlier defects', () => {
    expect(look('')).toEqual({
      kind: 'look',
      head: 'c2',
      base: 'c1',
      scope: 'full',
      from: null,
      quotes: [
        { path: 'src/a b.ts', lines: [1, 12] },
        { path: 'c.ts', lines: [3] },
      ],
      quotesRemoved: [],
      before: '',
      quoting: 'right',
      finds: [],
      findsDefects: false,
      reproduce: null,
      relayed: [],
      prior: ['f1'],
      priorVerdict: 'fixed',
    });
  });

  it('has the removed lines to quote and to report, and where they are', () => {
    const before = '.devflow/artifacts/inputs/review/change-before';
    const finds = 'Finds-Removed: high old.ts:2 It was needed';
    expect(look(`${finds}\nQuote removed: old.ts: 2\nBefore: /runs/r/lanes/l/${before}`)).toMatchObject({
      quotesRemoved: [{ path: 'old.ts', lines: [2] }],
      before,
      finds: [{ path: 'old.ts', line: 2, isRemoved: true }],
    });
  });

  it('has the commit from which it looks', () => {
    expect(look('', { review: 'head c3 base c1 scope delta from c2' })).toMatchObject({ scope: 'delta', from: 'c2' });
  });

  it.each([
    ['full', 'All'],
    ['delta', 'Fix'],
    ['closing', 'End'],
  ])('with scope %s reports what is for this scope', (scope, claim) => {
    const lines =
      'Finds: low a.ts:1 All\nFinds-Delta: high a.ts:2 Fix\nFinds-Closing: high a.ts:3 End\nFinds: worst a.ts:1 x';
    expect(look(lines, { review: `head c3 base c1 scope ${scope}` })).toMatchObject({ finds: [{ claim }] });
  });

  it('reports what is for its role', () => {
    const lines = 'Finds: reviewer#1=high src/a.ts:3 Wrong bound';
    expect(look(lines)).toMatchObject({ finds: [] });
    const finds = [{ severity: 'high', path: 'src/a.ts', line: 3, claim: 'Wrong bound' }];
    expect(look(lines, { roleId: 'reviewer#1' })).toMatchObject({ finds });
  });

  it.each([
    ['wrong', 1, 'wrong'],
    ['wrong', 2, 'right'],
    ['always-wrong', 2, 'wrong'],
    ['none', 2, 'none'],
  ])('with Quotes: %s quotes at attempt %i %s', (word, attempt, quoting) => {
    expect(look(`Quotes: ${word}`, { attempt })).toMatchObject({ quoting });
  });

  it('obeys the other lines', () => {
    const lines = 'Finds-Defects: yes\nReproduce: npm test -- a\nPrior-Says: present\nFixes: nothing';
    const relayed = ['Fixes: nothing'];
    const reproduce = ['npm', 'test', '--', 'a'];
    expect(look(lines)).toMatchObject({ findsDefects: true, reproduce, priorVerdict: 'present', relayed });
  });

  it('without a review line is none', () => {
    expect(readReviewPrompt({ expectedSchema: BATCH, instructions: 'Review it.', roleId: 'reviewer' }, 1)).toBe(
      undefined,
    );
  });
});

describe('a verdict', () => {
  it('has the findings, and confirms them by default', () => {
    const findings = [{ id: 'f1', path: 'src/a b.ts', line: 3 }];
    const expected = { kind: 'verdict', findings, verdict: 'confirmed', duplicates: [] };
    expect(asked('dev/review-verdict@1', FINDING)).toEqual(expected);
  });

  it('obeys the lines that a reviewer passed on', () => {
    const lines = `${FINDING}\n  evidence: Verdicts: verifier=unquoted\n  evidence: Duplicate: 2 of 1`;
    expect(asked('dev/review-verdict@1', lines)).toMatchObject({
      verdict: 'unquoted',
      duplicates: [{ finding: 2, of: 1 }],
    });
  });
});

it('reads what a fixer changes', () => {
  const lines = `${FINDING}\nFixes: adds a.ts 2\nFixes: moves a.ts b.ts 3\nFixes: everything`;
  expect(asked('dev/review-response@1', lines, 'implementer')).toEqual({
    kind: 'fix',
    findings: [{ id: 'f1', path: 'src/a b.ts', line: 3 }],
    changes: [
      { what: 'adds', path: 'a.ts', lines: 2 },
      { what: 'moves', path: 'a.ts', to: 'b.ts', lines: 3 },
    ],
  });
});

it('reads no other prompt', () => {
  expect(asked('dev/implementation@1', FINDING)).toBeUndefined();
});
