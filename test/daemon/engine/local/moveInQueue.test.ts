import { expect, it } from 'vitest';
import { rankAt } from '../../../../daemon/engine/local/moveInQueue.ts';
import type { Queued } from '../../../../daemon/engine/local/runPlaces.ts';
import type { QueueTarget } from '../../../../daemon/engine/runEngine.ts';

const queue = ['a', 'b', 'c', 'd'].map(
  (runId, nth): Queued => ({ runId, rank: `${nth + 1}i`, place: { position: nth + 1, of: 4 } }),
);

it.each<[string, QueueTarget, string]>([
  ['c', 'first', 'cabd'],
  ['b', 'last', 'acdb'],
  ['d', { before: 'b' }, 'adbc'],
  ['a', { after: 'b' }, 'bacd'],
  ['a', { after: 'd' }, 'bcda'],
  ['b', { before: 'a' }, 'bacd'],
  ['b', { after: 'a' }, 'abcd'],
])('moves %s: %o', (runId, target, expected) => {
  const rank = rankAt(queue, runId, target);
  const moved = queue.map((each) => (each.runId === runId ? { ...each, rank } : each));
  const order = moved.sort((x, y) => (x.rank < y.rank ? -1 : 1)).map((each) => each.runId);
  expect(order.join('')).toBe(expected);
});

it('refuses a run that has begun, a place beside one, and a place beside itself', () => {
  expect(() => rankAt(queue, 'x', 'first')).toThrow(expect.objectContaining({ code: 'state_conflict' }));
  expect(() => rankAt(queue, 'a', { after: 'x' })).toThrow(expect.objectContaining({ code: 'state_conflict' }));
  expect(() => rankAt(queue, 'a', { before: 'a' })).toThrow(expect.objectContaining({ code: 'usage' }));
});
