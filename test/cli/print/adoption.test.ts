import { expect, test } from 'vitest';
import { describeAdoption } from '../../../cli/print/adoption.ts';

const NONE = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };

test.each([
  [{}, undefined],
  [{ adopted: 2, resumed: 1, waiting: 1 }, '2 adopted, 1 resumed, 1 suspended at a gate'],
  [{ waiting: 2, resting: 2 }, '2 suspended at a gate, 2 suspended until their run needs them'],
  [{ resting: 1, pending: 1 }, '1 suspended until its run needs it, 1 still resuming'],
])('%j', (some, sentence) => {
  expect(describeAdoption({ ...NONE, ...some })).toBe(sentence);
});
