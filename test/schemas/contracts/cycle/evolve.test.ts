import { describe, expect, test } from 'vitest';
import {
  completeCycle,
  extendCycle,
  failCycle,
  pauseCycle,
  resumeCycle,
} from '../../../../schemas/contracts/cycle/evolve/lifecycle.ts';
import { readEvent } from '../../../../schemas/contracts/cycle/evolve/readEvent.ts';
import { AGENTS, type CycleState, controlSignal } from '../../../../schemas/contracts/cycle/state/cycleState.ts';
import { nextVersion } from '../../../../schemas/contracts/cycle/state/version.ts';
import {
  AGENTS_DONE,
  closed,
  created,
  delivered,
  MINUTE,
  NOW,
  play,
  refusalOf,
  refused,
  requireValidState,
  started,
} from './givenCycle.ts';

const LATER = NOW + 60 * MINUTE;
const LATER_TIME = '2026-01-22T11:00:00+08:00';
const REQUIREMENTS = { type: 'requirements.updated', specification: 'x', edge_cases: ['y'] };
const TASK = { id: 'TASK-001', description: 'x', effort: 'small' };
const PLAN = { type: 'plan.updated', tasks: [TASK], total_estimated_effort: '1d', critical_path: ['TASK-001'] };
const TESTS = { type: 'tests.recorded', pass_rate: 85.5, coverage: 78, failed_tests: ['a'], total_tests: 20 };
const CHANGES = { type: 'changes.appended', changes: [{ file: 'a.ts', action: 'create' }] };
const agent = (what: string, name = 'ra', more: object = {}) => ({ type: `agent.${what}`, agent: name, ...more });

describe('iterations', () => {
  test('CS-22: the first one starts with four idle agents and an open record', () => {
    const state = requireValidState(started());
    expect(state).toMatchObject({ status: 'running', current_iteration: 1, current_phase: 'ra', completed_phases: [] });
    expect(state.iterations).toEqual([{ number: 1, started_at: '2026-01-22T10:01:00+08:00', agent_results: {} }]);
    expect(state.task_history).toHaveLength(1);
  });

  test('CS-22: the next one keeps what the agents did, and no times', () => {
    const files = ['ra/requirements.md'];
    const one = play(
      started(),
      agent('started', 'ra', { message: 'hello' }),
      agent('completed', 'ra', { output_files: files }),
      ...AGENTS_DONE.slice(2),
      { type: 'iteration.completed' },
    );
    const two = requireValidState(started(one));
    expect(two.agents.ra).toEqual({ status: 'idle', output_files: files, iterations_completed: 1 });
    expect(two).toMatchObject({ current_iteration: 2, completed_phases: [], current_phase: 'ra' });
    expect(two.iterations[0]).toEqual(one.iterations[0]);
    expect(two.iterations[1]).not.toHaveProperty('extension');
  });

  test('CS-22: none starts while one is open, or in a cycle that is not going on', () => {
    expect(refused(() => started(started()))).toBe('cycle_iteration_open');
    const paused = pauseCycle(closed(), LATER);
    const failed = failCycle(closed(), 'x', LATER);
    const completed = completeCycle(closed(), LATER);
    for (const state of [paused, failed, completed]) expect(refused(() => started(state))).toBe('cycle_transition');
  });

  test('CS-26: is completed only after all four agents, and then takes no deliveries', () => {
    const { code, data } = refusalOf(() => closed(started()));
    expect([code, data.agents]).toEqual(['cycle_agents_open', [...AGENTS]]);
    const state = requireValidState(
      play(delivered(), { type: 'iteration.completed', issues_found: ['a'], resolved: true }),
    );
    expect(state.iterations[0]).toMatchObject({
      issues_found: ['a'],
      resolved: true,
      completed_at: expect.any(String),
    });
    expect(closed().iterations[0]).toMatchObject({ issues_found: [], resolved: true });
    const unresolved = play(delivered(), { type: 'iteration.completed', issues_found: ['a'] });
    expect(unresolved.iterations[0]).toMatchObject({ issues_found: ['a'], resolved: false });
    for (const event of [REQUIREMENTS, PLAN, TESTS, CHANGES, agent('started'), { type: 'iteration.completed' }]) {
      expect(refused(() => play(state, event))).toBe('cycle_transition');
    }
    expect(
      play(state, { type: 'feedback.logged', source: 'user', target: 'cd', content: 'x', feedback: 'bug_report' })
        .coordination.feedback_log,
    ).toHaveLength(1);
  });
});

describe('agents', () => {
  test('CS-23: go from idle or waiting to running to completed', () => {
    const running = play(started(), agent('started', 'ep'));
    expect(running).toMatchObject({
      current_phase: 'ep',
      agents: { ep: { status: 'running', started_at: expect.any(String) } },
    });
    const waiting = play(running, agent('waiting', 'ep', { message: 'for ra' }));
    expect(waiting.agents.ep).toMatchObject({ status: 'waiting', last_message: 'for ra' });
    const again = play(waiting, agent('started', 'ep'));
    const completed = play(again, agent('completed', 'ep', { output_files: ['a', 'b', 'a'], files_modified: 7 }));
    expect(requireValidState(completed).agents.ep).toMatchObject({
      status: 'completed',
      completed_at: expect.any(String),
      output_files: ['a', 'b'],
      iterations_completed: 1,
    });
    expect(completed.iterations[0]?.agent_results).toEqual({ ep: { status: 'completed', files_modified: 7 } });
    expect(completed.completed_phases).toEqual(['ep']);
    const restarted = play(completed, agent('started', 'ep'));
    expect(restarted.agents.ep).not.toHaveProperty('completed_at');
    expect(restarted.completed_phases).toEqual([]);
  });

  test('CS-23: may run at the same time, and an agent may wait before it starts', () => {
    const state = play(started(), ...AGENTS.map((name) => agent('started', name)));
    expect(Object.values(state.agents).map(({ status }) => status)).toEqual(Array(4).fill('running'));
    expect(play(started(), agent('waiting', 'vas')).agents.vas.status).toBe('waiting');
  });

  test.each([
    ['running', 'started'],
    ['idle', 'completed'],
    ['idle', 'failed'],
    ['waiting', 'completed'],
    ['waiting', 'waiting'],
    ['completed', 'completed'],
    ['completed', 'waiting'],
    ['completed', 'failed'],
    ['failed', 'completed'],
    ['failed', 'failed'],
    ['failed', 'waiting'],
  ])('CS-23: an agent that is %s cannot have %s', (status, what) => {
    const ways: Record<string, object[]> = {
      idle: [],
      running: [agent('started')],
      waiting: [agent('waiting')],
      completed: [agent('started'), agent('completed')],
      failed: [agent('started'), agent('failed', 'ra', { error: 'x' })],
    };
    const state = play(started(), ...(ways[status] ?? []));
    expect(state.agents.ra.status).toBe(status);
    expect(refused(() => play(state, agent(what, 'ra', { error: 'x' })))).toBe('cycle_transition');
  });

  test('CS-23: a fifth agent, an unknown event and a field that no event has are wrong use', () => {
    for (const event of [
      agent('started', 'qa'),
      { type: 'agent.started' },
      { type: 'agent.sung', agent: 'ra' },
      { type: '__proto__' },
      { type: 'toString' },
      { type: 5 },
      {},
      [],
      null,
      'x',
      { type: 'iteration.started', agent: 'qa' },
      { type: 'iteration.started', number: 3 },
      { type: 'tests.recorded', pass_rate: 'all', coverage: 1, total_tests: 1 },
      { type: 'requirements.updated' },
      { type: 'feedback.logged', source: 'a', target: 'b', content: 'c', feedback: 'praise' },
      { ...agent('failed'), message: 'x' },
      { ...agent('completed'), files_modified: -1 },
    ]) {
      expect(refused(() => readEvent(event))).toBe('usage');
    }
  });

  test('CS-24: after the fourth the phase is aggregation', () => {
    const state = delivered();
    expect(state).toMatchObject({ current_phase: 'aggregation', completed_phases: ['ra', 'ep', 'cd', 'vas'] });
    const names = ['vas', 'cd', 'ep'];
    const three = play(started(), ...names.flatMap((name) => [agent('started', name), agent('completed', name)]));
    expect(three).toMatchObject({ current_phase: 'ep', completed_phases: ['ep', 'cd', 'vas'] });
  });

  test('CS-25: a failed agent leaves an error, and may start again', () => {
    const failed = requireValidState(play(started(), agent('started'), agent('failed', 'ra', { error: 'no network' })));
    const errors = [{ phase: 'ra', error: 'no network', timestamp: '2026-01-22T10:02:00+08:00' }];
    expect(failed).toMatchObject({ agents: { ra: { status: 'failed', error: 'no network' } }, phase_errors: errors });
    expect(failed.iterations[0]?.agent_results).toEqual({ ra: { status: 'failed', files_modified: 0 } });
    const again = play(failed, agent('started'));
    expect(again).toMatchObject({ agents: { ra: { status: 'running' } }, phase_errors: errors });
    expect(again.agents.ra).not.toHaveProperty('error');
  });
});

describe('an extension', () => {
  const extend = (state: CycleState, task = 'Add MFA', maxIterations?: number) =>
    extendCycle(state, { task, maxIterations }, LATER);

  test('CS-27: begins an iteration with the words of the user', () => {
    const before = closed(delivered(play(started(), REQUIREMENTS)));
    const state = requireValidState(extend(before));
    expect(state).toMatchObject({
      status: 'running',
      current_iteration: 2,
      current_phase: 'ra',
      completed_phases: [],
      task_history: ['Implement OAuth authentication', 'Add MFA'],
      description: 'Implement OAuth authentication\n\n--- ITERATION 2 ---\nAdd MFA',
      updated_at: LATER_TIME,
    });
    expect(state.iterations[1]).toEqual({ number: 2, extension: 'Add MFA', started_at: LATER_TIME, agent_results: {} });
    expect(state.agents.ra).toEqual({
      status: 'running',
      started_at: LATER_TIME,
      output_files: [],
      iterations_completed: 1,
    });
    expect(AGENTS.slice(1).map((name) => state.agents[name].status)).toEqual(['idle', 'idle', 'idle']);
    expect(state.coordination.feedback_log).toEqual([
      { timestamp: LATER_TIME, source: 'user', target: 'ra', content: 'Add MFA', type: 'requirement_update' },
    ]);
    expect([state.title, state.requirements, state.iterations[0]]).toEqual([
      before.title,
      before.requirements,
      before.iterations[0],
    ]);
  });

  test('CS-27: lets a completed cycle run again, and a paused one', () => {
    const state = extend(completeCycle(closed(), LATER));
    expect(state.status).toBe('running');
    expect(state).not.toHaveProperty('completed_at');
    expect(extend(pauseCycle(closed(), LATER)).status).toBe('running');
  });

  test('CS-28: is refused in an open iteration, before the first, for a failed cycle, and without words', () => {
    expect(refused(() => extend(started()))).toBe('cycle_iteration_open');
    expect(refused(() => extend(created()))).toBe('cycle_transition');
    expect(refused(() => extend(failCycle(closed(), 'x', LATER)))).toBe('cycle_transition');
    expect(refused(() => extend(failCycle(started(), 'x', LATER)))).toBe('cycle_transition');
    expect(refused(() => extend(closed(), ' '))).toBe('usage');
  });

  test('CS-29: goes beyond the limit only if it raises it', () => {
    const last = { ...closed(), max_iterations: 1 };
    expect(refused(() => extend(last))).toBe('cycle_max_iterations');
    expect(refused(() => started(last))).toBe('cycle_max_iterations');
    expect(refused(() => extend(last, 'x', 1))).toBe('cycle_max_iterations');
    expect(refused(() => extend(last, 'x', 0))).toBe('usage');
    expect(refused(() => extend(closed(), 'x', 4))).toBe('usage');
    expect(requireValidState(extend(last, 'x', 2))).toMatchObject({ max_iterations: 2, current_iteration: 2 });
    expect(extend(closed(), 'x', 9).max_iterations).toBe(9);
  });
});

describe('the parts', () => {
  test('CS-30: have the version of their iteration, counted within it', () => {
    const versions: (string | undefined)[] = [];
    let state = started();
    for (let iteration = 1; iteration <= 3; iteration += 1) {
      for (const event of iteration === 2 ? [PLAN] : [REQUIREMENTS, REQUIREMENTS, PLAN]) {
        state = requireValidState(play(state, event));
        versions.push(event === PLAN ? state.plan?.version : state.requirements?.version);
      }
      state = started(closed(delivered(state)));
    }
    expect(versions).toEqual(['1.0.0', '1.0.1', '1.0.0', '1.1.0', '1.2.0', '1.2.1', '1.2.0']);
  });

  test('CS-30: never go back', () => {
    expect(nextVersion('1.4.0', 2)).toBe('1.4.1');
    expect(nextVersion('2.0.0', 2)).toBe('2.0.1');
    expect(nextVersion('0.9.0', 1)).toBe('1.0.0');
  });

  test('CS-32: a plan gets defaults, and one against the contract is refused', () => {
    const state = requireValidState(play(started(), PLAN));
    expect(state.plan).toEqual({
      version: '1.0.0',
      tasks: [{ ...TASK, depends_on: [], status: 'pending', files: [] }],
      total_estimated_effort: '1d',
      critical_path: ['TASK-001'],
      last_updated: '2026-01-22T10:01:00+08:00',
    });
    const planned = (...tasks: unknown[]) => refusalOf(() => play(started(), { ...PLAN, tasks, critical_path: [] }));
    for (const [tasks, code] of [
      [[{ ...TASK, effort: 'huge' }], 'CYCLE_PLAN_TASK'],
      [[TASK, TASK], 'CYCLE_PLAN_TASK'],
      [['TASK-001'], 'CYCLE_PLAN_TASK'],
      [[{ ...TASK, id: ' ' }], 'CYCLE_PLAN_TASK'],
      [[null], 'CYCLE_PLAN_TASK'],
      [[{ ...TASK, depends_on: ['TASK-001'] }], 'CYCLE_PLAN_DEPENDENCY'],
      [[{ ...TASK, depends_on: ['TASK-002'] }], 'CYCLE_PLAN_DEPENDENCY'],
      [[{ id: 'TASK-001', description: 'x' }], 'CYCLE_MISSING_FIELD'],
    ] as const) {
      expect(planned(...tasks)).toMatchObject({ code: 'contract_invalid', data: { errors: [{ code }] } });
    }
    expect(
      requireValidState(play(started(), { ...PLAN, tasks: [{ ...TASK, id: 'T1' }], critical_path: [] })).plan?.tasks,
    ).toHaveLength(1);
  });

  test('CS-33: changes only grow, and the first of an iteration marks its time', () => {
    const one = play(started(), CHANGES, CHANGES);
    expect(requireValidState(one).changes).toMatchObject({
      total_files: 1,
      changes: [
        { file: 'a.ts', action: 'create', iteration: 1, agent: 'cd', description: '' },
        { file: 'a.ts', action: 'create', iteration: 1, agent: 'cd', description: '' },
      ],
      iteration_markers: { '1': '2026-01-22T10:01:00+08:00' },
    });
    const given = { file: 'b.ts', action: 'delete', timestamp: '2026-01-22T03:00:00Z', why: 'unused', iteration: 9 };
    const two = play(started(closed(delivered(one))), { ...CHANGES, changes: [given] });
    expect(two.changes?.changes.slice(0, 2)).toEqual(one.changes?.changes);
    expect(two.changes?.changes[2]).toMatchObject({ timestamp: LATER_TIME, iteration: 2, why: 'unused' });
    expect(Object.keys(two.changes?.iteration_markers ?? {})).toEqual(['1', '2']);
    for (const change of [{ file: 'a' }, { ...given, action: 'rename' }, { ...given, timestamp: 'now' }, 'a', null]) {
      expect(refused(() => play(started(), { ...CHANGES, changes: [change] }))).toBe('contract_invalid');
    }
    expect(refused(() => play(started(), { ...CHANGES, changes: [] }))).toBe('usage');
  });

  test('CS-34: test results beyond their numbers are refused', () => {
    expect(requireValidState(play(started(), TESTS)).test_results).toEqual({
      version: '1.0.0',
      pass_rate: 85.5,
      coverage: 78,
      failed_tests: ['a'],
      total_tests: 20,
      last_run: '2026-01-22T10:01:00+08:00',
    });
    for (const bad of [
      { pass_rate: 100.5 },
      { pass_rate: -1 },
      { coverage: 101 },
      { total_tests: 1.5 },
      { pass_rate: 100 },
    ]) {
      expect(refused(() => play(started(), { ...TESTS, ...bad }))).toBe('contract_invalid');
    }
  });

  test('CS-40: have one writer each', () => {
    const exploration = {
      type: 'exploration.updated',
      architecture_summary: 'x',
      integration_points: [],
      identified_risks: [],
    };
    for (const [event, owner] of [
      [REQUIREMENTS, 'ra'],
      [exploration, 'ep'],
      [PLAN, 'ep'],
      [CHANGES, 'cd'],
      [TESTS, 'vas'],
    ] as const) {
      requireValidState(play(started(), { ...event, agent: owner }));
      for (const other of AGENTS.filter((name) => name !== owner)) {
        expect(refused(() => play(started(), { ...event, agent: other }))).toBe('cycle_not_owner');
      }
    }
  });
});

describe('control', () => {
  test('CS-37: only a running cycle goes on', () => {
    expect(controlSignal({ status: 'running' })).toEqual({ continue: true, action: 'continue' });
    expect(controlSignal({ status: 'paused' })).toEqual({ continue: false, action: 'pause' });
    expect(controlSignal({ status: 'failed' })).toEqual({ continue: false, action: 'stop' });
    for (const status of ['created', 'completed', 'going', '', null, undefined, 5]) {
      expect(controlSignal({ status })).toEqual({ continue: false, action: 'unknown' });
    }
  });

  test('CS-38: runs, pauses, resumes, fails and completes', () => {
    const paused = requireValidState(pauseCycle(started(), LATER));
    expect(paused).toMatchObject({ status: 'paused', updated_at: LATER_TIME });
    expect(resumeCycle(paused, LATER)).toEqual({ ...started(), updated_at: LATER_TIME });
    for (const state of [created(), started(), paused]) {
      expect(requireValidState(failCycle(state, 'no money', LATER))).toMatchObject({
        status: 'failed',
        failure_reason: 'no money',
      });
    }
    expect(requireValidState(completeCycle(closed(), LATER))).toMatchObject({
      status: 'completed',
      completed_at: LATER_TIME,
      current_phase: 'complete',
    });
  });

  test('CS-38: refuses every other way', () => {
    const [paused, failed] = [pauseCycle(started(), LATER), failCycle(started(), 'x', LATER)];
    const completed = completeCycle(closed(), LATER);
    for (const state of [created(), paused, failed, completed]) {
      expect(refused(() => pauseCycle(state, LATER))).toBe('cycle_transition');
      expect(refused(() => completeCycle(state, LATER))).toBe('cycle_transition');
    }
    for (const state of [created(), started(), failed, completed]) {
      expect(refused(() => resumeCycle(state, LATER))).toBe('cycle_transition');
    }
    for (const state of [failed, completed])
      expect(refused(() => failCycle(state, 'x', LATER))).toBe('cycle_transition');
    expect(refused(() => completeCycle(started(), LATER))).toBe('cycle_transition');
    expect(refused(() => completeCycle({ ...created(), status: 'running' }, LATER))).toBe('cycle_transition');
    expect(refused(() => failCycle(started(), ' ', LATER))).toBe('usage');
  });

  test('CS-39: no event but the start of an iteration comes into a cycle that does not run', () => {
    const all = [...AGENTS_DONE, REQUIREMENTS, PLAN, CHANGES, TESTS, { type: 'iteration.completed' }];
    const words = { type: 'feedback.logged', source: 'a', target: 'b', content: 'c', feedback: 'clarification' };
    for (const state of [
      created(),
      pauseCycle(started(), LATER),
      failCycle(started(), 'x', LATER),
      completeCycle(closed(), LATER),
    ]) {
      for (const event of [...all, words]) expect(refused(() => play(state, event))).toBe('cycle_not_running');
    }
  });

  test('CS-41: a change moves updated_at, and never back', () => {
    expect(started().updated_at).toBe('2026-01-22T10:01:00+08:00');
    const ahead = { ...created(), updated_at: '2027-01-01T00:00:00.5+08:00' };
    expect(started(ahead)).toMatchObject({ updated_at: '2027-01-01T00:00:01+08:00' });
    requireValidState(started(ahead));
  });
});

describe('coordination', () => {
  const opened = { type: 'decision.opened', id: 'D1', description: 'Which?', options: ['a', 'b'] };
  const blocker = { type: 'blocker.opened', id: 'B1', description: 'No key', by: 'cd' };

  test('CS-18: feedback is only appended', () => {
    const words = { type: 'feedback.logged', source: 'vas', target: 'cd', content: 'broken', feedback: 'bug_report' };
    const state = requireValidState(play(started(), words, { ...words, content: 'again' }));
    expect(state.coordination.feedback_log.map(({ content, type }) => [content, type])).toEqual([
      ['broken', 'bug_report'],
      ['again', 'bug_report'],
    ]);
  });

  test('CS-19: a decision is made once, among its options', () => {
    const state = play(started(), opened);
    const made = requireValidState(play(state, { type: 'decision.made', id: 'D1', option: 'b', by: 'user' }));
    expect(made.coordination.pending_decisions).toEqual([
      { id: 'D1', description: 'Which?', options: ['a', 'b'], status: 'made', made_by: 'user', chosen_option: 'b' },
    ]);
    expect(refused(() => play(state, { type: 'decision.made', id: 'D1', option: 'c', by: 'user' }))).toBe(
      'cycle_invalid_option',
    );
    expect(refused(() => play(state, { type: 'decision.made', id: 'D2', option: 'a', by: 'user' }))).toBe(
      'cycle_unknown_item',
    );
    expect(refused(() => play(made, { type: 'decision.made', id: 'D1', option: 'a', by: 'user' }))).toBe(
      'cycle_transition',
    );
    expect(refused(() => play(state, opened))).toBe('cycle_exists');
    expect(refused(() => play(started(), { ...opened, options: [] }))).toBe('usage');
  });

  test('CS-20: a blocker is resolved, or worked around', () => {
    const state = play(started(), blocker);
    const around = play(state, { type: 'blocker.resolved', id: 'B1', resolution: 'a stub', workaround: true });
    expect(requireValidState(around).coordination.blockers).toEqual([
      { id: 'B1', description: 'No key', reported_by: 'cd', status: 'workaround', resolution: 'a stub' },
    ]);
    const resolved = requireValidState(play(around, { type: 'blocker.resolved', id: 'B1', resolution: 'a key' }));
    expect(resolved.coordination.blockers).toMatchObject([{ status: 'resolved', resolution: 'a key' }]);
    expect(refused(() => play(resolved, { type: 'blocker.resolved', id: 'B1', resolution: 'x' }))).toBe(
      'cycle_transition',
    );
    expect(refused(() => play(state, { type: 'blocker.resolved', id: 'B2', resolution: 'x' }))).toBe(
      'cycle_unknown_item',
    );
    expect(refused(() => play(state, blocker))).toBe('cycle_exists');
  });
});
