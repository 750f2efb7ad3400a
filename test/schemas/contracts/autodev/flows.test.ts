import { describe, expect, it, test } from 'vitest';
import { countsCycles } from '../../../../schemas/contracts/autodev/checkPointer.ts';
import { FLOWS } from '../../../../schemas/contracts/autodev/flows.ts';
import { FLOW_NAMES } from '../../../../schemas/contracts/autodev/pointer.ts';
import { fitsPattern } from '../../../../schemas/files/fitsPattern.ts';
import { FlowView } from '../../../../schemas/rpc/views/autodev.ts';

describe.each(FLOW_NAMES)('the data of %s', (flow) => {
  const { steps, optional, boundaries, rules, internalState = {} } = FLOWS[flow];
  const isStep = (step: number) => Number.isInteger(step) && step >= 1 && step <= steps.length;
  it('has known predicates only', () => {
    expect(FlowView.parse(FLOWS[flow])).toEqual(FLOWS[flow]);
  });
  it('names its own steps', () => {
    const named = [...optional, ...[boundaries, internalState].flatMap((each) => Object.keys(each).map(Number))];
    expect([...named, ...rules.map(({ step }) => step)].filter((step) => !isStep(step))).toEqual([]);
  });
  it('has rules that allow their own step, and a last one that always holds', () => {
    for (const { step, allows } of rules) {
      expect(allows).toHaveLength(2);
      const [first = 0, last = 0] = allows;
      expect(first <= step && step <= last && first >= 1 && last <= steps.length + 1).toBe(true);
    }
    expect(rules.at(-1)).toMatchObject({ all: [] });
    expect(rules.at(-1)).not.toHaveProperty('any');
  });
  it('has patterns with a * in the last part only', () => {
    const predicates = rules.flatMap(({ all = [], any = [] }) => [...all, ...any]);
    const patterns = predicates.flatMap((each) => ('flagFalse' in each ? [] : Object.values(each)));
    expect(patterns.filter((pattern: string) => pattern.slice(0, pattern.lastIndexOf('/')).includes('*'))).toEqual([]);
  });
});

test('AD-6: the flows have 11, 17 and 6 steps', () => {
  expect(FLOW_NAMES.map((flow) => FLOWS[flow].steps.length)).toEqual([11, 17, 6]);
});

test('AD-13: only existing-code counts cycles', () => {
  expect(FLOW_NAMES.filter(countsCycles)).toEqual(['existing-code']);
});

test('AD-28, AD-29: the steps that may be skipped, and the boundaries', () => {
  const named = (flow: (typeof FLOW_NAMES)[number], steps: number[]) =>
    steps.map((step) => FLOWS[flow].steps[step - 1]);
  expect(FLOW_NAMES.map((flow) => named(flow, FLOWS[flow].optional))).toEqual([
    ['UI Design', 'Security Audit', 'Performance Test'],
    ['Code Testability Revision', 'Refactor', 'Security Audit', 'Performance Test'],
    ['Document Sync', 'CICD Sync'],
  ]);
  expect(FLOW_NAMES.map((flow) => Object.keys(FLOWS[flow].boundaries))).toEqual([['5'], ['5', '9'], ['2']]);
});

test.each([
  ['a.md', '*.md', true],
  ['.md', '*.md', true],
  ['a.txt', '*.md', false],
  ['ab', 'ab*b', false],
  ['report_x_cycle2.md', 'report_*_cycle2.md', true],
  ['report_cycle2.md', 'report_*_cycle2.md', false],
  ['report_x_cycle22.md', 'report_*_cycle2.md', false],
  ['abcbc', 'a*b*c', true],
  ['x', 'x', true],
  ['xy', 'x', false],
  ['a.md', '(a+)+$', false],
])('%s fits %s: %s', (name, pattern, fits) => {
  expect(fitsPattern(name, pattern)).toBe(fits);
});

test('a pattern with many stars is compared at once', () => {
  expect(fitsPattern('a'.repeat(255), `${'*a'.repeat(120)}b`)).toBe(false);
});
