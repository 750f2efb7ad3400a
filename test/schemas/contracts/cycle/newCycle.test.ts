import { describe, expect, test } from 'vitest';
import { birthOf, isCycleId, makeCycleId, requireCycleId } from '../../../../schemas/contracts/cycle/state/cycleId.ts';
import { cycleTime } from '../../../../schemas/contracts/cycle/state/cycleTime.ts';
import { newCycle } from '../../../../schemas/contracts/cycle/state/newCycle.ts';
import { codesOf, created, ID, NOW, refused } from './givenCycle.ts';

describe('a new cycle', () => {
  test('CS-2: makes an id of the time in UTC+8 and six letters, and reads other forms', () => {
    const id = makeCycleId(NOW, Uint8Array.from([0, 35, 36, 255, 1, 2, 3]));
    expect(id).toBe('cycle-v1-20260122T100000-a9adbc');
    for (const read of [id, ID, 'cycle-v1-20260122-ab12', 'cycle-v1-20260122T100000-abcdefgh1234']) {
      expect(isCycleId(read)).toBe(true);
    }
  });

  test('CS-2: refuses any other form before it becomes a path', () => {
    for (const id of [
      '',
      '../../etc/passwd',
      `${ID}/x`,
      `${ID}\n`,
      `${ID}.json`,
      'cycle-v1-20260122T100000-abc',
      'cycle-v1-20260122T100000-abcdefgh12345',
      'cycle-v1-20260122T100000-ABC123',
      'cycle-v2-20260122T100000-abc123',
      'cycle-v1-2026-01-22-abc123',
      'x'.repeat(1_000_000),
    ]) {
      expect(refused(() => requireCycleId(id))).toBe('usage');
    }
  });

  test('CS-2: knows from an id when a cycle began, unless that is no time', () => {
    expect(birthOf(ID, NOW + 1)).toBe('2026-01-22T10:00:00+08:00');
    expect(birthOf('cycle-v1-20260121-ab12', NOW)).toBe('2026-01-21T00:00:00+08:00');
    expect(birthOf('cycle-v1-20260230T100000-ab12', NOW)).toBe(cycleTime(NOW));
    expect(birthOf('cycle-v1-20270101-ab12', NOW)).toBe(cycleTime(NOW));
  });

  test('CS-3: has exactly the initial state', () => {
    const idle = { status: 'idle', output_files: [], iterations_completed: 0 };
    const expected = {
      cycle_id: ID,
      title: 'Implement OAuth authentication',
      description: 'Add OAuth2 login support with Google and GitHub providers',
      task_history: ['Implement OAuth authentication'],
      status: 'created',
      created_at: '2026-01-22T10:00:00+08:00',
      updated_at: '2026-01-22T10:00:00+08:00',
      max_iterations: 5,
      current_iteration: 0,
      agents: { ra: idle, ep: idle, cd: idle, vas: idle },
      current_phase: 'init',
      completed_phases: [],
      phase_errors: [],
      iterations: [],
      coordination: { feedback_log: [], pending_decisions: [], blockers: [] },
    };
    const { description } = expected;
    const state = newCycle({ id: ID, task: 'Implement OAuth authentication', description }, NOW);
    expect(JSON.stringify(state)).toBe(JSON.stringify(expected));
    expect(codesOf(state)).toEqual({ errors: [], warnings: [] });
  });

  test('CS-4: takes 100 characters of the task as title, not 100 units', () => {
    const task = '🔐'.repeat(101);
    const state = created(task);
    expect(state).toMatchObject({ title: '🔐'.repeat(100), description: task, task_history: [task] });
    expect(codesOf(state).errors).toEqual([]);
    expect(codesOf({ ...state, title: task }).errors).toEqual(['CYCLE_TITLE_TOO_LONG']);
    expect(codesOf({ ...state, title: 'x'.repeat(101) }, 'soft').errors).toEqual(['CYCLE_TITLE_TOO_LONG']);
  });

  test('CS-4: refuses an empty task and a limit that is no number from 1', () => {
    expect(refused(() => created(''))).toBe('usage');
    expect(refused(() => created(' \n'))).toBe('usage');
    for (const maxIterations of [0, -1, 1.5, Number.NaN]) {
      expect(refused(() => newCycle({ id: ID, task: 'x', maxIterations }, NOW))).toBe('usage');
    }
    expect(newCycle({ id: ID, task: 'x', maxIterations: 2 }, NOW).max_iterations).toBe(2);
  });

  test('CS-7: writes times in seconds and UTC+8, whatever the clock', () => {
    expect(cycleTime(NOW + 999)).toBe('2026-01-22T10:00:00+08:00');
    expect(cycleTime(8.6e15 - 8 * 3.6e6)).toBe('9999-12-31T23:59:59+08:00');
    expect(cycleTime(-8.6e15)).toBe('0000-01-01T00:00:00+08:00');
  });
});
