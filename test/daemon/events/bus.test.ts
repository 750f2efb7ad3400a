import { expect, test } from 'vitest';
import { type BusItem, createBus } from '../../../daemon/events/bus.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';

test.each([
  ['review.batch_recorded', ['findings.changed']],
  ['finding.fixed', ['findings.changed']],
  ['lane.opened', ['lanes.changed']],
  ['run.paused', []],
])('the event %s hints at %j', (type, names) => {
  const bus = createBus();
  const items: BusItem[] = [];
  bus.listen('r', (item) => void items.push(item));
  bus.publish({
    runId: 'r',
    events: [{ type, payload: {} } as RunEvent],
    changes: { phases: [], approvals: [], sessions: [] },
  });
  expect(items.flatMap(({ hints }) => hints)).toEqual(names.map((event) => ({ event, data: { runId: 'r' } })));
});

test('a changed message hints at the session that it is for', () => {
  const bus = createBus();
  const items: BusItem[] = [];
  bus.listen('r', (item) => void items.push(item));
  bus.publish({ runId: 'r', events: [], changes: { phases: [], approvals: [], sessions: [], messages: ['s'] } });
  const data = { runId: 'r', sessionId: 's' };
  expect(items.flatMap(({ hints }) => hints)).toEqual([{ event: 'messages.changed', data }]);
});
