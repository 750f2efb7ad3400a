import fc from 'fast-check';
import { expect, it } from 'vitest';
import { handleSignal } from '../../../../daemon/core/handleSignal.ts';
import { type RankSignal, rankBetween, rankOf, rankRun } from '../../../../daemon/core/run/rank.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { bound, given } from '../support/given.ts';

const run = (nth: number, ms = nth) => ({
  id: `${String(nth).padStart(8, '0')}-0000-4000-8000-00000000000${nth % 10}`,
  createdAt: new Date(Date.UTC(2026, 0, 1) + ms).toISOString(),
  rank: null,
});

it('orders runs by their start, and those of one millisecond by their ids', () => {
  const ranks = [run(1, 5), run(2, 5), run(3, 6), run(1, 40_000_000_000), run(2, 3_000_000_000_000)].map(rankOf);
  expect([...ranks].sort()).toEqual(ranks);
});

it('keeps the place of a person for a run that was moved', () => {
  expect(rankOf({ ...run(1), rank: { nth: 2, rank: 'abc', isReleased: false } })).toBe('abc');
});

it('puts a run after the last one, and yet before those that start later', () => {
  const last = rankOf(run(5));
  const moved = rankBetween(last, null);
  expect(moved > last).toBe(true);
  expect(moved < rankOf(run(6))).toBe(true);
  expect(rankBetween(moved, null) < rankOf(run(6))).toBe(true);
});

it('gives any order that a person makes, as a list would, however often runs are moved and start', () => {
  const move = fc.record({ from: fc.nat(), to: fc.nat(), isStart: fc.boolean() });
  fc.assert(
    fc.property(fc.array(move, { maxLength: 300 }), (moves) => {
      const ranks = new Map([0, 1, 2, 3].map((nth) => [nth, rankOf(run(nth))]));
      const list = [0, 1, 2, 3];
      for (const { from, to, isStart } of moves) {
        if (isStart && list.length < 12) {
          const nth = list.length;
          list.push(nth);
          ranks.set(nth, rankOf(run(nth)));
          continue;
        }
        const [moved = 0] = list.splice(from % list.length, 1);
        const at = to % (list.length + 1);
        const rankAt = (index: number) => ranks.get(list[index] ?? -1) ?? null;
        ranks.set(moved, rankBetween(rankAt(at - 1), rankAt(at)));
        list.splice(at, 0, moved);
        const sorted = [...list].sort((a, b) => ((ranks.get(a) ?? '') < (ranks.get(b) ?? '') ? -1 : 1));
        expect(sorted).toEqual(list);
      }
      for (const rank of ranks.values()) expect(rank).toMatch(/^[0-9a-z]*[1-9a-z]$/);
    }),
    { numRuns: 200 },
  );
});

it('finds room a thousand times at the same place, before the first and between two', () => {
  let first = rankOf(run(1));
  const [low, high] = [rankOf(run(1)), rankOf(run(2))];
  let between = high;
  for (let nth = 0; nth < 1_000; nth += 1) {
    const earlier = rankBetween(null, first);
    expect(earlier < first).toBe(true);
    first = earlier;
    const next = rankBetween(low, between);
    expect(low < next && next < between).toBe(true);
    between = next;
  }
  expect(first.length).toBeLessThan(300);
});

const queued = (more: Partial<Run> = {}): Run => ({ ...given({}).run, ...more });

it.each<[string, Run, RankSignal, object[] | string]>([
  ['a move', queued(), { type: 'rank', rank: 'b', release: false }, [{ nth: 1, rank: 'b' }]],
  [
    'the same move again',
    queued({ rank: { nth: 1, rank: 'b', isReleased: false } }),
    { type: 'rank', rank: 'b', release: false },
    [],
  ],
  [
    'a second move',
    queued({ rank: { nth: 1, rank: 'b', isReleased: false } }),
    { type: 'rank', rank: 'c', release: false },
    [{ nth: 2, rank: 'c' }],
  ],
  [
    'a release where it is',
    queued({ after: 'x' }),
    { type: 'rank', release: true },
    [{ nth: 1, rank: rankOf(queued()), release: true }],
  ],
  ['a release of a run that waits for none', queued(), { type: 'rank', release: true }, []],
  [
    'a second release',
    queued({ after: 'x', rank: { nth: 1, rank: 'b', isReleased: true } }),
    { type: 'rank', release: true },
    [],
  ],
  ['a run that has begun', given({}, bound).run, { type: 'rank', rank: 'b', release: false }, 'state_conflict'],
  ['a run that has ended', queued({ state: 'aborted' }), { type: 'rank', rank: 'b', release: false }, 'state_conflict'],
])('records %s', (_, run, signal, expected) => {
  const result = rankRun(run, signal);
  if (typeof expected === 'string') expect(result).toMatchObject({ code: expected });
  else expect(result).toMatchObject(expected.map((payload) => ({ type: 'run.ranked', payload })));
});

it('cannot be paused before it begins', () => {
  expect(handleSignal(queued(), { type: 'pause', reason: 'x' })).toMatchObject({
    refused: { code: 'state_conflict', message: expect.stringContaining('cannot be paused before it begins') },
  });
});
