import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { criticalPath, orderOverlaps } from '../../../../daemon/kinds/lanes/graph/taskGraph.ts';
import { joinsLane, readyTasks } from '../../../../daemon/kinds/lanes/partition.ts';
import type { Task } from '../../../../daemon/kinds/lanes/state.ts';
import { findCycle } from '../../../../schemas/definitions/findCycle.ts';

const task = (id: string, dependsOn: string[] = [], over: Partial<Task> = {}): Task => ({
  id,
  title: id,
  description: '',
  requirements: [],
  dependsOn,
  writeSet: ['**'],
  checks: [],
  risk: 'low',
  size: 's',
  laneId: null,
  state: 'waiting',
  work: null,
  ...over,
});
const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id);
const inLane = (state: Task['state'], laneId = 'lane-1') => ({ state, laneId });

describe('the critical path', () => {
  test('adds the sizes of the longest row behind a task', () => {
    const tasks = [task('A'), task('B', ['A'], { size: 'l' }), task('C', ['A'], { size: 'm' }), task('D')];
    expect(Object.fromEntries(criticalPath(tasks, []))).toEqual({ A: 5, B: 4, C: 2, D: 1 });
  });

  test('counts tasks that were put in order', () => {
    expect(criticalPath([task('A'), task('B')], [['A', 'B']]).get('A')).toBe(2);
  });
});

describe('ready tasks', () => {
  test('are those whose predecessors have landed, the longest row first', () => {
    const tasks = [
      task('A'),
      task('B', [], { size: 'l' }),
      task('C', ['A']),
      task('D', ['E']),
      task('E', [], inLane('landed')),
    ];
    expect(ids(readyTasks(tasks, []))).toEqual(['B', 'A', 'D']);
  });

  test('wait for an overlapping task that was put before them', () => {
    expect(ids(readyTasks([task('A'), task('B')], [['A', 'B']]))).toEqual(['A']);
  });
});

describe('a lane', () => {
  const A = task('A', [], inLane('completed'));
  const X = task('X', [], inLane('started', 'lane-2'));
  const next = (...others: Task[]) => joinsLane([A, ...others], [], A)?.id;

  test('continues with the one task that waits for its last one', () => {
    expect(next(task('B', ['A']), task('C'))).toBe('B');
  });

  test('continues with the next of a chain, although a later task needs both', () => {
    expect(next(task('C', ['A', 'B']), task('B', ['A']))).toBe('B');
    const B = task('B', ['A'], inLane('completed'));
    expect(joinsLane([A, B, task('C', ['A', 'B'])], [], B)?.id).toBe('C');
  });

  test('continues with the next of a chain, although a task of another lane waits for its end', () => {
    expect(next(X, task('B', ['A']), task('C', ['B', 'X']))).toBe('B');
  });

  test('lands first if several tasks wait for it', () => {
    expect(next(...['B', 'C', 'D', 'E', 'F', 'G'].map((id) => task(id, ['A'])))).toBeUndefined();
  });

  test('lands first if a task of another lane waits too', () => {
    expect(next(X, task('B', ['A']), task('C', ['A', 'X']))).toBeUndefined();
  });

  test('does not take a task that also waits for another lane, or for none', () => {
    expect(next(X, task('B', ['A', 'X']), task('C'))).toBeUndefined();
  });

  test('does not take a task that does not need its last one', () => {
    const B = task('B', ['A'], inLane('completed'));
    expect(joinsLane([A, B, task('C', ['A'])], [], B)).toBeUndefined();
  });
});

describe('overlapping tasks', () => {
  test('are put in the order of the plan, unless one needs the other', () => {
    const tasks = [task('A', ['B']), task('B'), task('C')];
    const pairs = [
      { a: 'A', b: 'B' },
      { a: 'A', b: 'C' },
    ];
    expect(orderOverlaps(tasks, pairs)).toEqual([
      ['B', 'A'],
      ['A', 'C'],
    ]);
  });

  test('never get into a circle', () => {
    const graph = fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { minLength: 2, maxLength: 10 });
    fc.assert(
      fc.property(graph, fc.func(fc.boolean()), (rows, overlaps) => {
        const name = (index: number) => `T${index}`;
        // Task n may need any task with a higher number, so that the plan's order is not the order of the work.
        const tasks = rows.map((row, index) =>
          task(name(index), row.filter((n) => n > index && n < rows.length).map(name)),
        );
        const pairs = tasks.flatMap(({ id: a }, first) =>
          tasks.slice(first + 1).flatMap(({ id: b }) => (overlaps(a, b) ? [{ a, b }] : [])),
        );
        const order = orderOverlaps(tasks, pairs);
        const ordered = tasks.map((each) => ({
          id: each.id,
          dependsOn: [...each.dependsOn, ...order.filter(([, second]) => second === each.id).map(([first]) => first)],
        }));
        expect(findCycle(ordered)).toBeUndefined();
      }),
    );
  });
});
