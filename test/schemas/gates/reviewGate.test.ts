import { expect, test } from 'vitest';
import { reviewGateItems } from '../../../schemas/gates/reviewGate.ts';

test('a gate of a review shows what is open, and what came of each round', () => {
  const rounds = [
    { round: 1, reason: 'full', toFix: 2, commit: '0123456789abcdef' },
    { round: 2, reason: 'delta', toFix: 1, commit: null },
    { round: 3, reason: 'closing', toFix: 0, commit: null },
  ];
  expect(reviewGateItems({ open: ['high a.ts:1 It is wrong.'], rounds })).toEqual([
    'high a.ts:1 It is wrong.',
    'Round 1: a look at the whole change; 2 findings to fix, fixed in 0123456789ab',
    'Round 2: a look at the fix; 1 finding to fix, no file changed',
    'Round 3: a closing look',
  ]);
  expect(reviewGateItems({ open: ['It is wrong'], details: ['quotes: a + b'], rounds: rounds.slice(2) })).toEqual([
    'It is wrong',
    'quotes: a + b',
    'Round 3: a closing look',
  ]);
  expect(reviewGateItems({})).toEqual([]);
});
