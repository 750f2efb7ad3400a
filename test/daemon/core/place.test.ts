import { expect, test } from 'vitest';
import { hostOf, isHere } from '../../../daemon/core/run/place.ts';
import { onSignal } from '../../../daemon/core/transition.ts';
import { newRun, second } from './support/run.ts';

const shared = { id: 'a', shared: true, unpinned: 'a' };

test('a run without a host is on the one that led alone', () => {
  expect(hostOf({ host: null }, shared)).toBe('a');
  expect(isHere({ host: null }, { ...shared, id: 'b' })).toBe(false);
});

test('a run with a host is there, whoever led alone', () => {
  expect(isHere({ host: 'b' }, shared)).toBe(false);
  expect(isHere({ host: 'b' }, { ...shared, id: 'b' })).toBe(true);
});

test('the times of a log that several hosts write never decrease', () => {
  const { run: alone } = newRun({ template: 'withoutGate' });
  const run = { ...alone, host: 'a' };
  const later = onSignal(run, { type: 'abort', reason: 'x' }, second(60));
  if ('refused' in later) throw later.refused;
  const { events } = later;
  expect(events[0]?.ts).toBe(second(60));
  const slow = onSignal({ ...run, updatedAt: second(90) }, { type: 'abort', reason: 'x' }, second(60));
  if ('refused' in slow) throw slow.refused;
  expect(slow.events[0]?.ts).toBe(second(90));
});

test.each([
  ['a little leaves the times of a log in order', 90, 90],
  ['far is right again in the next event', 180, 60],
])('a clock of one host that is set back %s', (_, before, next) => {
  const { run } = newRun({ template: 'withoutGate' });
  const aborted = onSignal({ ...run, updatedAt: second(before) }, { type: 'abort', reason: 'x' }, second(60));
  if ('refused' in aborted) throw aborted.refused;
  expect(aborted.events.map(({ ts }) => ts)).toEqual(aborted.events.map(() => second(next)));
});
