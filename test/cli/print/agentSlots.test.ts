import { expect, test } from 'vitest';
import { describeSlots } from '../../../cli/print/agentSlots.ts';

test.each([
  [{ atWork: 0, waiting: 0, limit: 4 }, '0 of 4'],
  [{ atWork: 4, waiting: 1, limit: 4 }, '4 of 4, 1 waits for a free slot'],
  [{ atWork: 5, waiting: 2, limit: 4 }, '5 of 4, 2 wait for a free slot'],
  [undefined, undefined],
])('%j', (slots, sentence) => {
  expect(describeSlots(slots)).toBe(sentence);
});
