import { expect, test } from 'vitest';
import { evolve } from '../../../../daemon/core/evolve/evolve.ts';
import { replay } from '../../../../daemon/core/replay.ts';
import type { Lane, Run } from '../../../../daemon/core/run/state.ts';
import type { ProjectedTable } from '../../../../daemon/db/schema/projected.ts';
import type { Dag, Task } from '../../../../daemon/kinds/lanes/state.ts';
import { changedRows, type Rows, rowsOf } from '../../../../daemon/store/projection/projection.ts';
import { readHistory } from '../../../helpers/givenHistory.ts';

/** Tables as the database would hold them. */
function createTables() {
  const tables = new Map<string, Map<unknown, object>>();
  return {
    write(rows: Rows) {
      for (const [table, changed] of Object.entries(rows)) {
        const held = tables.get(table) ?? new Map();
        tables.set(table, held);
        for (const { updated_at: _, ...row } of changed) {
          if (Object.keys(row).length > 1) held.set(row.id, row);
          else held.delete(row.id);
        }
      }
    },
    read: (table: ProjectedTable) => [...(tables.get(table)?.values() ?? [])],
  };
}

function expectRows(tables: ReturnType<typeof createTables>, run: Run): void {
  for (const [table, rows] of Object.entries(rowsOf(run)) as [ProjectedTable, Rows[ProjectedTable]][]) {
    const plain = (rows ?? []).map(({ updated_at: _, ...row }) => row);
    expect(tables.read(table)).toEqual(plain);
  }
}

const task = (id: string, over: Partial<Task> = {}): Task => ({
  id,
  title: `Task ${id}`,
  description: 'Do it.',
  requirements: [],
  dependsOn: [],
  writeSet: [`${id}/**`],
  checks: [],
  risk: 'low',
  size: 's',
  laneId: null,
  state: 'waiting',
  work: null,
  ...over,
});

const lane = (phaseId: string, over: Partial<Lane> = {}): Lane => ({
  id: 'lane-1',
  phaseId,
  roleId: 'coder#0',
  path: '/w/run/lanes/lane-1',
  branch: 'devflow/run/lane-1',
  base: 'a',
  head: null,
  state: 'open',
  endedBecause: null,
  reopens: [],
  ejections: [],
  setup: null,
  ...over,
});

/** A run whose first phase has these tasks, and these lanes beside `main`. */
function givenLanes(tasks: Task[], lanes: (phaseId: string) => Lane[] = () => []): Run {
  const run = replay(readHistory('happy')) as Run;
  const dag: Dag = { plan: 'hash', tasks, main: 'a', queue: [], late: [], tests: [], landings: [] };
  const [first, ...rest] = run.phases as [Run['phases'][number]];
  return { ...run, phases: [{ ...first, kind: 'lanes', dag }, ...rest], lanes: [...run.lanes, ...lanes(first.id)] };
}

test.each(['happy', 'stalled', 'troubled'] as const)('the changes of history %s add up to its rows', (name) => {
  const tables = createTables();
  let run: Run | undefined;
  for (const event of readHistory(name)) {
    const after = evolve(run, event);
    tables.write(changedRows(run, after));
    expectRows(tables, after);
    run = after;
  }
});

test('a run has a row for each lane that a phase opened, and for each task', () => {
  const work = { commit: 'c', files: 1, insertions: 2, deletions: 3 };
  const run = givenLanes([task('a', { laneId: 'lane-1', state: 'completed', work }), task('b')], (phaseId) => [
    lane(phaseId, { head: 'c' }),
  ]);
  const { lanes, lane_tasks } = rowsOf(run);
  expect(lanes).toEqual([expect.objectContaining({ lane_id: 'lane-1', role_id: 'coder#0', head: 'c', state: 'open' })]);
  expect(lane_tasks).toEqual([
    expect.objectContaining({ task_id: 'a', seq: 1, lane_id: 'lane-1', state: 'completed', work }),
    expect.objectContaining({ task_id: 'b', seq: 2, lane_id: null, state: 'waiting', work: null }),
  ]);
  expect(lane_tasks[1]?.definition).toEqual({
    ...{
      description: 'Do it.',
      requirements: [],
      dependsOn: [],
      writeSet: ['b/**'],
      checks: [],
      risk: 'low',
      size: 's',
    },
  });
});

test('a task that starts changes one row', () => {
  const [a, b] = [task('a'), task('b')];
  const before = givenLanes([a, b]);
  const after = givenLanes([a, { ...b, state: 'started', laneId: 'lane-2' }]);
  expect(changedRows(before, after).lane_tasks).toEqual([
    expect.objectContaining({ task_id: 'b', lane_id: 'lane-2', updated_at: after.updatedAt }),
  ]);
});

test('a new plan removes the tasks that it does not have', () => {
  const tables = createTables();
  const before = givenLanes([task('a'), task('b')]);
  tables.write(changedRows(undefined, before));
  const after = givenLanes([task('b'), task('c')]);
  tables.write(changedRows(before, after));
  expect(tables.read('lane_tasks').map((row) => 'task_id' in row && row.task_id)).toEqual(['b', 'c']);
});

test('a gate names its assignment and lane only if it has one', () => {
  const run = replay(readHistory('happy')) as Run;
  const [gate] = run.approvals as [Run['approvals'][number]];
  const about = { ...gate, id: 'other', assignment: 'a', laneId: 'lane-1' };
  const rows = rowsOf({ ...run, approvals: [gate, about] }).approval_requests;
  expect(rows[0]?.payload).not.toHaveProperty('laneId');
  expect(rows[1]?.payload).toMatchObject({ assignment: 'a', laneId: 'lane-1' });
});
