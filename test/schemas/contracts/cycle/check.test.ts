import { describe, expect, test } from 'vitest';
import { statePath } from '../../../../schemas/contracts/cycle/state/cyclePaths.ts';
import type { CycleState } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { cyclePart } from '../../../../schemas/contracts/registry.ts';
import { closed, codesOf, created, findingsOf, ID, play, started, treeOf } from './givenCycle.ts';

const CORE = Object.keys(created());
const TIME = '2026-01-22T10:00:00+08:00';

/** A state with some values replaced, of any kind. */
const having = (values: Record<string, unknown>, state: CycleState = created()) => ({ ...state, ...values });
const errorsOf = (state: unknown) => codesOf(state).errors;
const warningsOf = (state: unknown) => codesOf(state).warnings;

describe('the core of a state', () => {
  test('CS-2: is about the cycle that the file is named for', () => {
    expect(errorsOf(having({ cycle_id: 'cycle-v1-20260122T100000-abc124' }))).toEqual(['CYCLE_ID_MISMATCH']);
  });

  test.each(CORE)('CS-5: has %s', (name) => {
    const { [name]: _, ...rest } = created() as Record<string, unknown>;
    expect(errorsOf(rest)).toEqual(['CYCLE_MISSING_FIELD']);
    expect(codesOf(rest, 'soft')).toEqual({ errors: [], warnings: ['CYCLE_MISSING_FIELD'] });
    expect(findingsOf(rest).errors[0]).toMatchObject({ field: name, path: statePath(ID), line: null });
  });

  test('CS-5: has values of the right kind in both modes, and may have more keys', () => {
    expect(
      errorsOf(having({ description: 5, task_history: ['x', 5], agents: [], iterations: {}, coordination: null })),
    ).toEqual(Array(5).fill('CYCLE_INVALID_FIELD'));
    expect(codesOf(having({ title: null }), 'soft').errors).toEqual(['CYCLE_INVALID_FIELD']);
    expect(codesOf(having({ mood: 'good', agents: { ...created().agents } }))).toEqual({ errors: [], warnings: [] });
  });

  test('CS-6: has a status of the list, and what the status needs', () => {
    expect(errorsOf(having({ status: 'done' }))).toEqual(['CYCLE_INVALID_STATUS']);
    expect(errorsOf(having({ status: 5 }))).toEqual(['CYCLE_INVALID_STATUS']);
    expect(errorsOf(having({ status: 'completed' }))).toEqual(['CYCLE_COMPLETED_AT']);
    expect(codesOf(having({ status: 'completed' }), 'soft')).toEqual({ errors: [], warnings: ['CYCLE_COMPLETED_AT'] });
    expect(errorsOf(having({ status: 'failed' }))).toEqual(['CYCLE_FAILURE_REASON']);
    expect(codesOf(having({ status: 'failed' }), 'soft').warnings).toEqual(['CYCLE_FAILURE_REASON']);
    expect(errorsOf(having({ status: 'failed', failure_reason: 'x' }))).toEqual([]);
    expect(errorsOf(having({ status: 'completed', completed_at: TIME }))).toEqual([]);
  });

  test('CS-7: has times with date, time and offset', () => {
    for (const time of ['2026-01-22T10:00:00', '2026-01-22', 'yesterday', '2026-02-30T10:00:00+08:00', 5]) {
      expect(codesOf(having({ updated_at: time }), 'soft').errors).toEqual(['CYCLE_INVALID_FIELD']);
    }
    expect(codesOf(having({ updated_at: '2026-01-22T02:00:00Z' }))).toEqual({
      errors: [],
      warnings: ['CYCLE_TIME_ZONE'],
    });
    expect(codesOf(having({ updated_at: '2026-01-22T10:00:00.5+08:00' }))).toEqual({ errors: [], warnings: [] });
    expect(codesOf(having({ updated_at: '2026-01-22T01:59:59Z' }))).toEqual({
      errors: ['CYCLE_TIME_ORDER'],
      warnings: ['CYCLE_TIME_ZONE'],
    });
  });

  test('CS-8: has whole iterations within the limit', () => {
    for (const max_iterations of [0, -1, 1.5]) {
      expect(errorsOf(having({ max_iterations }))).toContain('CYCLE_ITERATION_RANGE');
    }
    expect(errorsOf(having({ max_iterations: '5' }))).toEqual(['CYCLE_INVALID_FIELD']);
    expect(errorsOf(having({ current_iteration: -1 }))).toContain('CYCLE_ITERATION_RANGE');
    expect(errorsOf(having({ max_iterations: 1 }, started(closed())))).toEqual(['CYCLE_ITERATION_RANGE']);
  });

  test('CS-9: has exactly four agents', () => {
    const { agents } = created();
    const { vas, ...three } = agents;
    expect(errorsOf(having({ agents: three }))).toEqual(['CYCLE_AGENTS']);
    expect(codesOf(having({ agents: { ...agents, qa: vas } }), 'soft').errors).toEqual(['CYCLE_AGENTS']);
    const withRa = (ra: unknown) => having({ agents: { ...agents, ra } });
    expect(errorsOf(withRa({ ...vas, status: 'busy' }))).toEqual(['CYCLE_INVALID_STATUS']);
    expect(errorsOf(withRa({ status: 'idle' }))).toEqual(['CYCLE_MISSING_FIELD', 'CYCLE_MISSING_FIELD']);
    expect(errorsOf(withRa({ ...vas, status: 'failed' }))).toEqual(['CYCLE_MISSING_FIELD']);
    expect(errorsOf(withRa({ ...vas, status: 'failed', error: 'x' }))).toEqual([]);
    expect(errorsOf(withRa({ ...vas, iterations_completed: -1, started_at: 'now' }))).toEqual(
      Array(2).fill('CYCLE_INVALID_FIELD'),
    );
    expect(errorsOf(withRa('idle'))).toEqual(['CYCLE_INVALID_FIELD']);
  });

  test('CS-10: has phases of the list', () => {
    expect(errorsOf(having({ current_phase: 'qa' }))).toEqual(['CYCLE_INVALID_PHASE']);
    expect(errorsOf(having({ completed_phases: ['ra', 'qa'] }))).toEqual(['CYCLE_INVALID_PHASE']);
    const error = { phase: 'ra', error: 'x', timestamp: TIME };
    expect(errorsOf(having({ phase_errors: [error] }))).toEqual([]);
    expect(errorsOf(having({ phase_errors: [{ ...error, phase: 'qa' }, { phase: 'ra' }, 'x'] })).sort()).toEqual([
      'CYCLE_INVALID_FIELD',
      'CYCLE_INVALID_PHASE',
      'CYCLE_MISSING_FIELD',
      'CYCLE_MISSING_FIELD',
    ]);
  });
});

describe('the parts of a state', () => {
  const one = started();
  const requirements = { version: '1.0.0', specification: 'x', edge_cases: [], last_updated: TIME };
  const exploration = {
    version: '1.0.0',
    architecture_summary: 'x',
    integration_points: [],
    identified_risks: [],
    last_updated: TIME,
  };
  const task = { id: 'TASK-001', description: 'x', effort: 'small', depends_on: [], status: 'pending', files: [] };
  const plan = { version: '1.0.0', tasks: [task], total_estimated_effort: '1d', critical_path: [], last_updated: TIME };
  const results = {
    version: '1.0.0',
    pass_rate: 85.5,
    coverage: 78,
    failed_tests: ['a'],
    total_tests: 20,
    last_run: TIME,
  };
  const change = { timestamp: TIME, file: 'a', action: 'modify', iteration: 1, agent: 'cd', description: '' };
  const changes = { total_files: 1, changes: [change], iteration_markers: { '1': TIME } };

  test('CS-11: requirements have all of their fields', () => {
    expect(codesOf(having({ requirements }, one))).toEqual({ errors: [], warnings: [] });
    expect(errorsOf(having({ requirements: { version: '1.0.0' } }, one))).toEqual(Array(3).fill('CYCLE_MISSING_FIELD'));
    expect(errorsOf(having({ requirements: { ...requirements, edge_cases: 'x' } }, one))).toEqual([
      'CYCLE_INVALID_FIELD',
    ]);
  });

  test('CS-12: exploration too; an absent part is fine and null warns', () => {
    expect(codesOf(having({ exploration }, one))).toEqual({ errors: [], warnings: [] });
    expect(errorsOf(having({ exploration: { ...exploration, identified_risks: [5] } }, one))).toEqual([
      'CYCLE_INVALID_FIELD',
    ]);
    const none = { requirements: null, exploration: null, plan: null, changes: null, test_results: null };
    expect(codesOf(having({ ...none, completed_at: null }))).toEqual({
      errors: [],
      warnings: Array(6).fill('CYCLE_NULL_FIELD'),
    });
  });

  test('CS-13: a plan has tasks of the right form', () => {
    const withTasks = (...tasks: unknown[]) => codesOf(having({ plan: { ...plan, tasks } }, one));
    expect(codesOf(having({ plan }, one))).toEqual({ errors: [], warnings: [] });
    expect(withTasks({ ...task, effort: 'huge' }).errors).toEqual(['CYCLE_PLAN_TASK']);
    expect(withTasks({ ...task, status: 'done' }).errors).toEqual(['CYCLE_PLAN_TASK']);
    expect(withTasks({ ...task, files: 'a' }).errors).toEqual(['CYCLE_PLAN_TASK']);
    for (const id of ['', ' ']) expect(withTasks({ ...task, id }).errors).toEqual(['CYCLE_PLAN_TASK']);
    expect(withTasks(task, task).errors).toEqual(['CYCLE_PLAN_TASK']);
    expect(withTasks('TASK-001').errors).toEqual(['CYCLE_PLAN_TASK']);
    expect(withTasks({ ...task, id: 'T1' })).toEqual({ errors: [], warnings: ['CYCLE_PLAN_TASK_ID'] });
    expect(withTasks({ id: 'TASK-001' }).errors).toEqual(Array(5).fill('CYCLE_MISSING_FIELD'));
    expect(errorsOf(having({ plan: { ...plan, tasks: {} } }, one))).toEqual(['CYCLE_INVALID_FIELD']);
  });

  test('CS-14: tasks and the critical path need only tasks that are there, and no ring', () => {
    const withNeeds = (needs: Record<string, string[]>, critical_path: string[] = []) => {
      const tasks = Object.entries(needs).map(([id, depends_on]) => ({ ...task, id, depends_on }));
      return errorsOf(having({ plan: { ...plan, tasks, critical_path } }, one));
    };
    expect(withNeeds({ 'TASK-001': [], 'TASK-002': ['TASK-001'] }, ['TASK-001'])).toEqual([]);
    expect(withNeeds({ 'TASK-001': ['TASK-009'] })).toEqual(['CYCLE_PLAN_DEPENDENCY']);
    expect(withNeeds({ 'TASK-001': [] }, ['TASK-009'])).toEqual(['CYCLE_PLAN_DEPENDENCY']);
    expect(withNeeds({ 'TASK-001': ['TASK-001'] })).toEqual(['CYCLE_PLAN_DEPENDENCY']);
    expect(withNeeds({ 'TASK-001': ['TASK-002'], 'TASK-002': ['TASK-003'], 'TASK-003': ['TASK-001'] })).toEqual([
      'CYCLE_PLAN_DEPENDENCY',
    ]);
    const diamond = { 'TASK-001': ['TASK-002', 'TASK-003'], 'TASK-002': ['TASK-004'], 'TASK-003': ['TASK-004'] };
    expect(withNeeds({ ...diamond, 'TASK-004': [] })).toEqual([]);
  });

  test('CS-15: changes count their files and mark their iterations', () => {
    const withChanges = (values: object) => codesOf(having({ changes: { ...changes, ...values } }, one));
    expect(withChanges({})).toEqual({ errors: [], warnings: [] });
    expect(withChanges({ changes: [change, { ...change, action: 'delete' }] }).warnings).toEqual([]);
    expect(withChanges({ total_files: 12 })).toEqual({ errors: [], warnings: ['CYCLE_CHANGES_TOTAL'] });
    for (const bad of [{ action: 'rename' }, { iteration: 0 }, { timestamp: 'now' }, { file: 1 }]) {
      expect(withChanges({ total_files: 1, changes: [{ ...change, ...bad }] }).errors).toEqual(['CYCLE_INVALID_FIELD']);
    }
    for (const iteration_markers of [{ '1': 'now' }, { one: TIME }, { '0': TIME }, []]) {
      expect(withChanges({ iteration_markers }).errors).toEqual(['CYCLE_INVALID_FIELD']);
    }
  });

  test('CS-16: test results have numbers that fit', () => {
    const withResults = (values: object) => errorsOf(having({ test_results: { ...results, ...values } }, one));
    expect(withResults({})).toEqual([]);
    for (const bad of [{ pass_rate: 101 }, { coverage: -1 }, { total_tests: 1.5 }, { pass_rate: '85' }]) {
      expect(withResults(bad)).toEqual(['CYCLE_INVALID_FIELD']);
    }
    expect(withResults({ pass_rate: 100 })).toEqual(['CYCLE_TEST_NUMBERS']);
    expect(withResults({ pass_rate: 100, failed_tests: [] })).toEqual([]);
  });

  test('CS-17: iterations are numbered, and only the last is open', () => {
    const two = started(closed());
    const [first, second] = two.iterations as [object, object];
    const withIterations = (...iterations: unknown[]) => errorsOf(having({ iterations }, two));
    expect(withIterations(first, second)).toEqual([]);
    expect(withIterations(first)).toEqual(['CYCLE_ITERATION_NUMBERING']);
    expect(withIterations(second, first)).toContain('CYCLE_ITERATION_NUMBERING');
    const { completed_at, issues_found, resolved, ...open } = first as never as Record<string, unknown>;
    expect(withIterations(open, second)).toEqual(Array(3).fill('CYCLE_MISSING_FIELD'));
    expect(withIterations(first, { ...second, issues_found: [] })).toEqual(Array(2).fill('CYCLE_MISSING_FIELD'));
    const result = (agent: string, value: unknown) =>
      withIterations(first, { ...second, agent_results: { [agent]: value } });
    expect(result('ra', { status: 'partial', files_modified: 0 })).toEqual([]);
    expect(result('qa', { status: 'partial', files_modified: 0 })).toEqual(['CYCLE_AGENTS']);
    expect(result('ra', { status: 'partial', files_modified: -1 })).toEqual(['CYCLE_INVALID_FIELD']);
    expect(result('ra', 'completed')).toEqual(['CYCLE_INVALID_FIELD']);
    expect(warningsOf(having({ task_history: ['a', 'b'] }, two))).toEqual(['CYCLE_TASK_HISTORY']);
    expect(warningsOf(having({ iterations: [first, { ...second, extension: 'b' }] }, two))).toEqual([
      'CYCLE_TASK_HISTORY',
    ]);
  });

  const withCoordination = (values: object) =>
    errorsOf(having({ coordination: { ...created().coordination, ...values } }));

  test('CS-18: feedback has a type of the list', () => {
    const feedback = { timestamp: TIME, source: 'user', target: 'ra', content: 'x', type: 'bug_report' };
    expect(withCoordination({ feedback_log: [feedback] })).toEqual([]);
    expect(withCoordination({ feedback_log: [{ ...feedback, type: 'praise' }] })).toEqual(['CYCLE_INVALID_FIELD']);
    expect(withCoordination({ feedback_log: [{}] })).toEqual(Array(5).fill('CYCLE_MISSING_FIELD'));
  });

  test('CS-19: a decision chooses among its options', () => {
    const decision = { id: 'D1', description: 'x', options: ['a', 'b'], status: 'pending' };
    expect(withCoordination({ pending_decisions: [decision] })).toEqual([]);
    expect(withCoordination({ pending_decisions: [{ ...decision, status: 'made', chosen_option: 'a' }] })).toEqual([]);
    expect(withCoordination({ pending_decisions: [{ ...decision, chosen_option: 'c' }] })).toEqual([
      'CYCLE_INVALID_FIELD',
    ]);
    expect(withCoordination({ pending_decisions: [{ ...decision, status: 'open' }] })).toEqual([
      'CYCLE_INVALID_STATUS',
    ]);
  });

  test('CS-20: a resolved blocker has a resolution', () => {
    const blocker = { id: 'B1', description: 'x', reported_by: 'cd', status: 'open' };
    expect(withCoordination({ blockers: [blocker] })).toEqual([]);
    expect(withCoordination({ blockers: [{ ...blocker, status: 'workaround' }] })).toEqual([]);
    expect(withCoordination({ blockers: [{ ...blocker, status: 'resolved' }] })).toEqual(['CYCLE_MISSING_FIELD']);
    expect(withCoordination({ blockers: [{ ...blocker, status: 'closed' }] })).toEqual(['CYCLE_INVALID_STATUS']);
  });

  test('CS-30: versions have three numbers, and none is of a later iteration', () => {
    const withVersion = (version: string) => codesOf(having({ requirements: { ...requirements, version } }, one));
    for (const version of ['1.0', 'v1.0.0', '1.0.0-rc', '1.0.x', '1.0.0\n']) {
      expect(withVersion(version).errors).toEqual(['CYCLE_VERSION_FORMAT']);
    }
    expect(withVersion('1.0.7')).toEqual({ errors: [], warnings: [] });
    expect(withVersion('1.1.0')).toEqual({ errors: [], warnings: ['CYCLE_VERSION_AHEAD'] });
    expect(withVersion('2.0.0').warnings).toEqual(['CYCLE_VERSION_AHEAD']);
  });
});

describe('the family in a repository', () => {
  test('CC-1: detects each state file and checks it', () => {
    const valid = JSON.stringify(created());
    const tree = treeOf({
      '.workflow/.cycle': { kind: 'dir' },
      [statePath(ID)]: valid,
      [`${statePath(ID)}.corrupt-20260122T100000`]: '{',
      '.workflow/.cycle/notes.json': '{}',
      '.workflow/.cycle/cycle-v1-20260122-ab12.json': '{',
    });
    const paths = ['.workflow/.cycle/cycle-v1-20260122-ab12.json', statePath(ID)];
    expect(cyclePart.detect(tree)).toEqual(paths.map((path) => ({ contract: 'cycle/cycle-state@1', path })));
    const reports = paths.flatMap((path) => cyclePart.check(tree, path));
    expect(reports.map(({ subject, valid: is, errors }) => [subject, is, errors.map(({ code }) => code)])).toEqual([
      [paths[0], false, ['CYCLE_PARSE_ERROR']],
      [paths[1], true, []],
    ]);
  });

  test('CS-46: calls a state that cannot be read what it is', () => {
    for (const text of ['', '{', '[]', 'null', '"x"', '\uFEFF{}'])
      expect(errorsOf(text)).toEqual(['CYCLE_PARSE_ERROR']);
    const tree = treeOf({ [statePath(ID)]: { kind: 'link' } });
    expect(cyclePart.check(tree, statePath(ID))[0]?.errors).toMatchObject([
      { code: 'CYCLE_PARSE_ERROR', message: expect.stringContaining('symbolic link') },
    ]);
  });

  test('CS-50: says that a cycle is not there', () => {
    expect(cyclePart.check(treeOf({}), statePath(ID))[0]?.errors).toMatchObject([{ code: 'CYCLE_NOT_FOUND' }]);
  });

  test('CS-41: keeps unknown keys, also those that are names of JavaScript', () => {
    const text = JSON.stringify(created()).replace('{', '{"__proto__":{"status":"running"},"constructor":1,');
    expect(codesOf(text)).toEqual({ errors: [], warnings: [] });
    const changed = play(JSON.parse(text), { type: 'iteration.started' });
    expect(JSON.stringify(changed)).toContain('"__proto__":{"status":"running"},"constructor":1');
  });
});
