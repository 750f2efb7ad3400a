import { describe, expect, test } from 'vitest';
import { laneSummaries } from '../../../../../daemon/api/runs/lanes/laneViews.ts';
import { runLanes } from '../../../../../daemon/api/runs/lanes/runLanes.ts';
import type { Run } from '../../../../../daemon/core/run/state.ts';
import { givenRun } from '../../../report/givenRun.ts';
import { commit, gate, givenLanes, lane, mergeTest, task } from './givenLanes.ts';

const phaseOf = (run: Run) => {
  const [phase, ...others] = runLanes(run).phases;
  if (!phase || others.length > 0) throw new TypeError('the run has one phase of lanes');
  return phase;
};
const checkFailed = { argv: ['npm', 'test'], exitCode: 1, reason: 'exit 1', stdoutPath: '/out', stderrPath: '/err' };

test('a run whose template has no lanes phase has no parallel work', () => {
  expect(runLanes(givenRun()).phases).toEqual([]);
});

test('a phase without a plan yet says so', () => {
  const run = givenLanes({});
  const phases = run.phases.map((phase) => (phase.kind === 'lanes' ? { ...phase, dag: null } : phase));
  expect(phaseOf({ ...run, phases })).toMatchObject({ phaseKey: 'build', planned: false, tasks: [], queue: [] });
});

test('a task lies one layer below the last of those that it waits for', () => {
  const tasks = [task('c', { dependsOn: ['a', 'b'] }), task('a'), task('b', { dependsOn: ['a'] }), task('d')];
  const layers = phaseOf(givenLanes({ tasks })).tasks.map(({ taskId, layer }) => [taskId, layer]);
  expect(layers).toEqual([
    ['c', 2],
    ['a', 0],
    ['b', 1],
    ['d', 0],
  ]);
});

test('tasks of a plan with a cycle are shown all the same', () => {
  const tasks = [task('a', { dependsOn: ['b'] }), task('b', { dependsOn: ['a'] }), task('c', { dependsOn: ['b'] })];
  expect(phaseOf(givenLanes({ tasks })).tasks).toHaveLength(3);
});

describe('the queue', () => {
  const ejection = {
    laneId: 'lane-3',
    head: commit('lane-3'),
    nth: 1,
    base: commit('ba5e'),
    paths: ['a.ts', 'b.ts', 'c.ts', 'd.ts'],
    with: [],
    results: [],
    faults: [],
  };

  test('shows waiting lanes in order, then those sent back and why, then those that landed, newest first', () => {
    const lanes = [
      lane('lane-1', { state: 'landed' }),
      lane('lane-2', { state: 'landed' }),
      lane('lane-3', { ejections: [{ ...ejection, cause: 'conflict' }] }),
      lane('lane-4', { state: 'queued' }),
      lane('lane-5', { state: 'queued' }),
    ];
    const landings = ['lane-1', 'lane-2'].map((laneId) => ({ laneId, before: commit('a'), commit: commit('b') }));
    // A paused run tests nothing.
    const run = givenLanes({ queue: ['lane-5', 'lane-4'], landings }, { lanes, state: 'paused', frozen: true });
    expect(phaseOf(run).queue).toEqual([
      { laneId: 'lane-5', place: 'waiting', reason: null },
      { laneId: 'lane-4', place: 'waiting', reason: null },
      {
        laneId: 'lane-3',
        place: 'sent_back',
        reason: 'It conflicts with what landed, in a.ts, b.ts, c.ts and 1 more file',
      },
      { laneId: 'lane-2', place: 'landed', reason: null },
      { laneId: 'lane-1', place: 'landed', reason: null },
    ]);
  });

  test.each([
    ['own', 'A check fails on this lane alone: npm test'],
    ['interaction', 'A check fails only together with lane-1: npm test'],
  ] as const)('says why the cause is %s', (cause, reason) => {
    const sentBack = { ...ejection, cause, paths: [], with: ['lane-1'], results: [checkFailed] };
    const run = givenLanes({}, { lanes: [lane('lane-3', { ejections: [sentBack] })] });
    expect(phaseOf(run).queue).toEqual([{ laneId: 'lane-3', place: 'sent_back', reason }]);
  });

  test('a lost race sends nobody back', () => {
    const run = givenLanes({}, { lanes: [lane('lane-3', { ejections: [{ ...ejection, cause: 'raced' }] })] });
    expect(phaseOf(run).queue).toEqual([]);
  });
});

test('a merge test is red by what failed, and flaky if the same files were red before', () => {
  const tests = [
    mergeTest(['lane-1'], { failed: [0], results: [checkFailed] }),
    mergeTest(['lane-1'], { nth: 2, results: [checkFailed] }),
  ];
  const shown = phaseOf(givenLanes({ tests })).tests;
  expect(shown.map(({ green, flaky, nth }) => ({ green, flaky, nth }))).toEqual([
    { green: false, flaky: false, nth: 1 },
    { green: true, flaky: true, nth: 2 },
  ]);
  expect(shown[0]?.failedChecks).toEqual([{ argv: ['npm', 'test'], reason: 'exit 1', stdoutPath: '/out' }]);
});

test('a check that a person accepted as red does not make a merge red', () => {
  const approvals = [
    gate('accepted', { gateKey: 'base_red', laneId: 'main', state: 'approved', subject: { failed: [0] } }),
  ];
  const tests = [mergeTest(['lane-1'], { failed: [0], results: [checkFailed] })];
  expect(phaseOf(givenLanes({ tests }, { approvals })).tests[0]).toMatchObject({ green: true, flaky: false });
});

test('overlaps and drift come from their gates, decided or not', () => {
  const reasons = [{ kind: 'file', files: ['src/a.ts'], count: 2 }];
  const approvals = [
    gate('overlap', {
      gateKey: 'parallel_dag_approved',
      laneId: 'main',
      state: 'approved',
      subject: { pairs: [{ a: 'one', b: 'two', reasons }] },
    }),
    gate('drift', { subject: { laneId: 'lane-1', paths: ['README.md'], with: ['lane-2'] } }),
  ];
  const { overlaps, drift } = phaseOf(givenLanes({}, { approvals }));
  expect(overlaps).toEqual([
    { tasks: ['one', 'two'], reasons, files: ['src/a.ts'], approvalId: 'overlap', state: 'approved' },
  ]);
  expect(drift).toEqual([
    { laneId: 'lane-1', paths: ['README.md'], with: ['lane-2'], approvalId: 'drift', state: 'pending' },
  ]);
});

test('a lane names its open gates, also those of its assignments', () => {
  const lanes = [...givenRun().lanes, lane('lane-1'), lane('lane-2')];
  const run = givenLanes({ tasks: [task('a', { laneId: 'lane-1' })] }, { lanes });
  const [assignment] = run.phases[0]?.assignments ?? [];
  if (!assignment) throw new TypeError('the first phase has an assignment');
  const phases = run.phases.map((phase) =>
    phase.key === 'build' ? { ...phase, assignments: [{ ...assignment, key: 'a', laneId: 'lane-1' }] } : phase,
  );
  const approvals = [
    gate('of-task', { kind: 'recovery', assignment: 'a', laneId: null }),
    gate('of-other', { laneId: 'lane-2' }),
    gate('decided', { state: 'approved' }),
  ];
  const shown = phaseOf({ ...run, phases, approvals });
  expect(shown.lanes.map(({ laneId, openGates }) => [laneId, openGates])).toEqual([
    ['lane-1', ['of-task']],
    ['lane-2', ['of-other']],
  ]);
  expect(shown.tasks[0]).toMatchObject({ laneId: 'lane-1', session: { sessionId: 'session-1' } });
});

test('the details of a run list its lanes without main', () => {
  const run = givenLanes(
    { tasks: [task('a', { laneId: 'lane-1' })] },
    { lanes: [...givenRun().lanes, lane('lane-1')] },
  );
  expect(laneSummaries(run)).toMatchObject([{ laneId: 'lane-1', phaseKey: 'build', tasks: ['a'] }]);
});
