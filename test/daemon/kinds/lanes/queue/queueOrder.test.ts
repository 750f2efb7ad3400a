import { expect, it } from 'vitest';
import { queueOrder } from '../../../../../daemon/kinds/lanes/queue/queueOrder.ts';

/** `'b: a x in lane-1'`: the task b depends on a and x. */
const tasks = (...lines: string[]) =>
  lines.map((line) => {
    const [, id = '', on = '', laneId] = /^(\w+):(.*?)(?: in (\S+))?$/.exec(line) ?? [];
    return { id, dependsOn: on.split(' ').filter(Boolean), laneId: laneId ?? null };
  });

it.each([
  ['as they finished', ['lane-2', 'lane-1'], tasks('a: in lane-1', 'b: in lane-2'), [], ['lane-2', 'lane-1']],
  [
    'after those they build on',
    ['lane-2', 'lane-1'],
    tasks('a: in lane-1', 'b: a in lane-2'),
    [],
    ['lane-1', 'lane-2'],
  ],
  [
    'after those they build on through a task without a lane',
    ['lane-3', 'lane-2', 'lane-1'],
    tasks('a: in lane-1', 'b: a', 'c: b in lane-3', 'd: in lane-2'),
    [],
    ['lane-2', 'lane-1', 'lane-3'],
  ],
  [
    'in the order of overlapping tasks',
    ['lane-2', 'lane-1'],
    tasks('a: in lane-1', 'b: in lane-2'),
    [['a', 'b'] as const],
    ['lane-1', 'lane-2'],
  ],
  [
    'as they finished if each builds on the other',
    ['lane-2', 'lane-1'],
    tasks('a: d in lane-1', 'b: a in lane-2', 'd: b in lane-2'),
    [],
    ['lane-2', 'lane-1'],
  ],
  [
    'without those that are not queued',
    ['lane-2'],
    tasks('a: in lane-1', 'b: a unknown in lane-2', 'c: b in lane-2'),
    [],
    ['lane-2'],
  ],
])('orders lanes %s', (_, finished, graph, order, expected) => {
  expect(queueOrder(finished, graph, order)).toEqual(expected);
});
