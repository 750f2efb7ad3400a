import { describe, expect, test } from 'vitest';
import { describeAdoption, describeSlots } from '../../../cli/print/agents.ts';

const NONE = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };

test.each([
  [{}, undefined],
  [{ adopted: 2, resumed: 1, waiting: 1 }, '2 adopted, 1 resumed, 1 suspended at a gate'],
  [{ waiting: 2, resting: 2 }, '2 suspended at a gate, 2 suspended until their run needs them'],
  [{ resting: 1, pending: 1 }, '1 suspended until its run needs it, 1 still resuming'],
])('%j', (some, sentence) => {
  expect(describeAdoption({ ...NONE, ...some })).toBe(sentence);
});

describe('agentSlots', () => {
  test.each([
    [{ atWork: 0, waiting: 0, limit: 4 }, '0 of 4'],
    [{ atWork: 4, waiting: 1, limit: 4 }, '4 of 4, 1 waits for a free slot'],
    [{ atWork: 5, waiting: 2, limit: 4 }, '5 of 4, 2 wait for a free slot'],
    [undefined, undefined],
  ])('%j', (slots, sentence) => {
    expect(describeSlots(slots)).toBe(sentence);
  });
});
