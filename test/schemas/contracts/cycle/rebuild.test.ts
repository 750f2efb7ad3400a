import { describe, expect, test } from 'vitest';
import { resumeCycle } from '../../../../schemas/contracts/cycle/evolve/lifecycle.ts';
import { rebuild } from '../../../../schemas/contracts/cycle/rebuild/rebuild.ts';
import { syncReport } from '../../../../schemas/contracts/cycle/rebuild/sync.ts';
import { type DocumentName, documentPath, statePath } from '../../../../schemas/contracts/cycle/state/cyclePaths.ts';
import type { CycleState } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { AGENTS } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { codesOf, created, ID, NOW, Played, play, requireValidState, treeOf } from './givenCycle.ts';

const AT = '2026-01-22T09:00:00+08:00';
const documents = (texts: Partial<Record<DocumentName, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [documentPath(ID, name as DocumentName), text]));

function rebuilt(texts: Partial<Record<DocumentName, string>>, state = '{') {
  const report = rebuild(treeOf({ ...documents(texts), [statePath(ID)]: state }), ID);
  return { ...report, state: report.parsed?.state as CycleState };
}
const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code);

/** A cycle with two iterations, the second one open. */
function full(): Played {
  const cycle = new Played(created()).apply({ type: 'iteration.started' });
  for (let iteration = 1; iteration <= 2; iteration += 1) {
    cycle
      .apply({ type: 'requirements.updated', specification: `Log in ${iteration}.`, edge_cases: ['Timeout'] })
      .apply({
        type: 'plan.updated',
        tasks: [{ id: 'TASK-001', description: 'x', effort: 'small' }],
        total_estimated_effort: '1d',
        critical_path: ['TASK-001'],
      })
      .apply({ type: 'changes.appended', changes: [{ file: `${iteration}.ts`, action: 'create' }] })
      .apply({ type: 'tests.recorded', pass_rate: 85, coverage: 78, failed_tests: ['a'], total_tests: 20 });
    if (iteration === 2) break;
    for (const agent of AGENTS) cycle.apply({ type: 'agent.started', agent }).apply({ type: 'agent.completed', agent });
    cycle.apply({ type: 'iteration.completed', issues_found: ['a'] }).apply({ type: 'iteration.started' });
  }
  return cycle;
}

describe('a rebuild', () => {
  test('CS-43: gives back the parts of the documents, in a state that is paused and valid', () => {
    const cycle = full();
    const report = rebuild(cycle.tree('{'), ID);
    expect(report).toMatchObject({
      valid: true,
      errors: [],
      warnings: [],
      subject: ID,
      contract: 'cycle/cycle-state@1',
    });
    expect(report.parsed).toMatchObject({ intact: false, written: false, savedAs: null });
    const state = requireValidState(report.parsed?.state as CycleState);
    const { requirements, plan, changes, test_results } = cycle.state;
    expect(state).toMatchObject({ plan, changes, test_results, status: 'paused', current_iteration: 2, cycle_id: ID });
    expect(state.requirements).toEqual({ ...requirements, last_updated: expect.any(String) });
    const [first, second] = state.iterations;
    expect(first).toMatchObject({ number: 1, completed_at: second?.started_at, issues_found: [], resolved: false });
    expect(second).toEqual({ number: 2, started_at: state.requirements?.last_updated, agent_results: {} });
    expect(state).toMatchObject({
      current_phase: 'aggregation',
      completed_phases: [...AGENTS],
      created_at: created().created_at,
    });
    expect(AGENTS.map((agent) => state.agents[agent].status)).toEqual(Array(4).fill('completed'));
    expect(state.agents.ra).toMatchObject({
      iterations_completed: 2,
      output_files: [documentPath(ID, 'requirements')],
    });
  });

  test('CS-43: a person resumes it, and the iteration goes on', () => {
    const state = rebuild(full().tree('{'), ID).parsed?.state as CycleState;
    const resumed = resumeCycle(state, NOW);
    expect(requireValidState(play(resumed, { type: 'iteration.completed' })).iterations[1]).toMatchObject({
      resolved: true,
    });
  });

  test('CS-43: counts as completed only the agents that have a document', () => {
    const { state } = rebuilt({ requirements: '# Requirements Specification - v1.1.0\n\nLog in.\n' });
    expect(state).toMatchObject({
      current_iteration: 2,
      current_phase: 'ep',
      completed_phases: ['ra'],
      title: 'Log in.',
    });
    expect(requireValidState(state).agents.ep).toEqual({ status: 'idle', output_files: [], iterations_completed: 0 });
  });

  test('CS-44: reads the forms of other programs', () => {
    const { state, valid } = rebuilt({
      requirements:
        '# Requirements Specification - v1.0.0\n\n## Edge Cases\n### EC-001: Timeout\n- **Expected**: retry\n',
      plan: JSON.stringify({
        version: '1.0.0',
        total_tasks: 1,
        estimated_duration: '6 hours',
        tasks: [{ id: 'TASK-001', title: 'Set up', effort: 'small', estimated_hours: 1 }],
        critical_path: ['TASK-001'],
      }),
      changes: `{"timestamp":"${AT}","action":"create","file":"a.ts","iteration":1,"task":"TASK-001"}\n`,
      test_results: JSON.stringify({
        version: '1.0.0',
        timestamp: AT,
        summary: { total: 20, passed: 17 },
        coverage: { lines: 78, branches: 60 },
        by_suite: [
          {
            suite: 's',
            tests: [
              { name: 'retry', status: 'failed' },
              { name: 'ok', status: 'passed' },
            ],
          },
        ],
      }),
    });
    expect(valid).toBe(true);
    expect(requireValidState(state)).toMatchObject({
      requirements: { edge_cases: ['Timeout'], last_updated: '2026-01-22T10:00:00+08:00' },
      plan: {
        total_estimated_effort: '6 hours',
        tasks: [
          { id: 'TASK-001', description: 'Set up', depends_on: [], status: 'pending', files: [], estimated_hours: 1 },
        ],
      },
      changes: {
        total_files: 1,
        changes: [{ file: 'a.ts', agent: 'cd', task: 'TASK-001' }],
        iteration_markers: { '1': AT },
      },
      test_results: { pass_rate: 85, coverage: 78, failed_tests: ['retry'], total_tests: 20, last_run: AT },
    });
    expect(codesOf(state).errors).toEqual([]);
  });

  test('CS-45: a missing document leaves its part absent', () => {
    const { state, valid, warnings } = rebuilt({});
    expect([valid, codes(warnings)]).toEqual([true, Array(4).fill('CYCLE_REBUILD_MISSING')]);
    expect(warnings.map(({ path }) => path)).toContain(documentPath(ID, 'plan'));
    expect(requireValidState(state)).toMatchObject({
      status: 'paused',
      current_iteration: 0,
      title: ID,
      current_phase: 'init',
    });
    for (const part of ['requirements', 'plan', 'changes', 'test_results']) expect(state).not.toHaveProperty(part);
  });

  test('CS-45: a torn line of the log is left out, with its number', () => {
    const line = (file: string) => `{"timestamp":"${AT}","file":"${file}","action":"modify","iteration":1}`;
    const { state, warnings, valid } = rebuilt({
      changes: `${line('a')}\n\n{"timest\n"x"\n${line('b')}\n${line('c').slice(0, 9)}`,
    });
    expect(valid).toBe(true);
    expect(state.changes?.changes.map(({ file }) => file)).toEqual(['a', 'b']);
    const torn = warnings.filter(({ code }) => code === 'CYCLE_LOG_LINE_INVALID');
    expect(torn.map(({ line: number }) => number)).toEqual([3, 4, 6]);
  });

  test.each([
    ['plan', '{'],
    ['plan', '[]'],
    ['plan', '{"version":"1.0"}'],
    ['plan', JSON.stringify({ tasks: [{ id: 'TASK-001', title: 'x', depends_on: ['TASK-001'] }] })],
    ['test_results', ''],
    ['test_results', '{}'],
    ['test_results', JSON.stringify({ pass_rate: 100, coverage: 1, total_tests: 1, failed_tests: ['a'] })],
  ] as const)('CS-45: %s of %j cannot be read', (name, text) => {
    const { valid, errors, state } = rebuilt({ [name]: text });
    expect([valid, codes(errors), state]).toEqual([false, ['CYCLE_REBUILD_UNREADABLE'], null]);
    expect(errors[0]?.path).toBe(documentPath(ID, name));
  });

  test('CS-45: a link is not read', () => {
    const tree = treeOf({ [documentPath(ID, 'requirements')]: { kind: 'link' } });
    expect(codes(rebuild(tree, ID).errors)).toEqual(['CYCLE_REBUILD_UNREADABLE']);
  });

  test('CS-46: knows whether the state can be read, and keeps of it what no document tells', () => {
    const cycle = full().change((state) => ({ ...state, mood: 'good' }) as CycleState);
    const report = rebuild(cycle.tree(JSON.stringify(cycle.state)), ID);
    const { intact, state } = report.parsed as { intact: boolean; state: CycleState };
    expect(intact).toBe(true);
    expect(requireValidState(state)).toMatchObject({
      title: cycle.state.title,
      task_history: cycle.state.task_history,
      iterations: cycle.state.iterations,
      status: 'paused',
      mood: 'good',
    });
  });

  test('CS-46: takes nothing of a state that is not valid', () => {
    const { state } = rebuilt({}, JSON.stringify({ ...created(), iterations: [5], status: 'bogus', title: 5 }));
    expect(requireValidState(state)).toMatchObject({ title: ID, current_iteration: 0 });
    expect(rebuilt({}, '{}').parsed?.intact).toBe(true);
  });
});

describe('a comparison with the documents', () => {
  test('CS-47: finds nothing after events, and after a rebuild', () => {
    const cycle = full();
    expect(syncReport(cycle.tree(), cycle.state)).toMatchObject({ valid: true, parsed: { drift: [] } });
    expect(syncReport(treeOf({}), created())).toMatchObject({ valid: true });
    const state = rebuild(cycle.tree('{'), ID).parsed?.state as CycleState;
    const { [documentPath(ID, 'timeline')]: _, ...files } = cycle.files;
    expect(codes(syncReport(treeOf(files), state).errors)).toEqual(['CYCLE_FILE_MISSING']);
  });

  test.each(['requirements', 'plan', 'changes', 'test_results', 'timeline'] as const)(
    'CS-47: finds that %s is gone or another',
    (name) => {
      const cycle = full();
      const path = documentPath(ID, name);
      const { [path]: text = '', ...others } = cycle.files;
      const gone = syncReport(treeOf(others), cycle.state);
      expect([codes(gone.errors), gone.parsed]).toEqual([['CYCLE_FILE_MISSING'], { drift: [path] }]);
      for (const other of [`${text}tampered\n`, '', '{}', { kind: 'link' as const }, { kind: 'dir' as const }]) {
        const report = syncReport(treeOf({ ...others, [path]: other }), cycle.state);
        expect([codes(report.errors), report.parsed?.drift]).toEqual([['CYCLE_FILE_DRIFT'], [path]]);
      }
    },
  );

  test('CS-47: finds a document of which the state knows nothing', () => {
    const tree = treeOf(documents({ plan: '{}', timeline: '- [x] Iteration 1 completed\n', changes: '\n' }));
    expect(codes(syncReport(tree, created()).errors)).toEqual(['CYCLE_FILE_DRIFT', 'CYCLE_FILE_DRIFT']);
  });

  test('CS-47: the order of keys and the spaces of JSON are no drift', () => {
    const cycle = full();
    const path = documentPath(ID, 'plan');
    const reversed = Object.fromEntries(Object.entries(cycle.state.plan ?? {}).reverse());
    const tree = treeOf({ ...cycle.files, [path]: JSON.stringify(reversed) });
    expect(syncReport(tree, cycle.state).valid).toBe(true);
  });
});
