import { describe, expect, test } from 'vitest';
import { findingSentence, gateFindingItems } from '../../../schemas/findings/locatedFinding.ts';

test.each([
  [
    { path: 'plan.md', message: 'it has no steps', code: 'PLAN_STEPS', line: 12 },
    'plan.md:12: it has no steps [PLAN_STEPS]',
  ],
  [{ path: 'plan.md', message: 'it is empty', line: null }, 'plan.md: it is empty'],
  [{ path: '', message: 'nothing was found' }, 'nothing was found'],
  [{ path: '', message: 'no such step', code: 'PLAN_STEPS', line: 7 }, 'line 7: no such step [PLAN_STEPS]'],
])('says %j in a sentence', (finding, sentence) => {
  expect(findingSentence(finding)).toBe(sentence);
});

describe('the findings of a gate', () => {
  const many = Array.from({ length: 250 }, (_, nth) => ({ path: 'plan.md', message: 'wrong', line: nth + 1 }));

  test('shows a hundred and counts the rest', () => {
    const items = gateFindingItems({ findings: many });
    expect(items).toHaveLength(101);
    expect(items.slice(-2)).toEqual(['plan.md:100: wrong', '… and 150 more findings']);
  });

  test.each([[{}], [{ findings: 'all' }], [{ findings: null }]])('is empty for %j', (subject) => {
    expect(gateFindingItems(subject)).toEqual([]);
  });

  test('leaves out what is no finding, such as the ids of a review', () => {
    const findings = [{ path: 'a', message: 'b' }, null, 7, { path: 1 }];
    expect(gateFindingItems({ findings })).toEqual(['a: b']);
    expect(gateFindingItems({ findings: ['f1', 'f2'] })).toEqual([]);
  });
});
