import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../../../schemas/contracts/cycle/state/cycleState.ts';
import { givenCycles, ID, progress, STATE } from './givenCycles.ts';

const REQUIREMENTS = { type: 'requirements.updated', specification: 'Log in.', edge_cases: ['Timeout'] };
const TASK = { id: 'TASK-001', description: 'x', effort: 'small' };
const PLAN = { type: 'plan.updated', tasks: [TASK], total_estimated_effort: '1d', critical_path: ['TASK-001'] };
const CHANGES = { type: 'changes.appended', changes: [{ file: 'a.ts', action: 'create' }] };
const TESTS = { type: 'tests.recorded', pass_rate: 85, coverage: 78, failed_tests: ['a'], total_tests: 20 };

type Given = ReturnType<typeof givenCycles>;

/** One iteration from its start to its end, with all four parts. */
async function iterate(given: Given): Promise<void> {
  for (const event of [REQUIREMENTS, PLAN, CHANGES, TESTS]) await given.apply(event);
  for (const agent of AGENTS) {
    if (given.state().agents[agent].status !== 'running') await given.apply({ type: 'agent.started', agent });
    await given.apply({ type: 'agent.completed', agent });
  }
  await given.apply({ type: 'iteration.completed' });
}

describe('a new cycle', () => {
  it('CS-1: has a state of two spaces, and a directory for each agent', async () => {
    const given = givenCycles();
    const state = await given.create();
    expect(given.read(STATE)).toBe(JSON.stringify(state, null, 2));
    expect(readdirSync(join(given.repo, progress(''))).sort()).toEqual(['cd', 'coordination', 'ep', 'ra', 'vas']);
    expect(readdirSync(join(given.repo, '.workflow/.cycle')).sort()).toEqual([`${ID}.json`, `${ID}.progress`]);
    expect(statSync(join(given.repo, progress('ra'))).mode & 0o777).toBe(0o755);
  });

  it('CS-2: gets an id of the time, which no other one has', async () => {
    const given = givenCycles();
    const ids = [];
    for (let count = 0; count < 3; count += 1) ids.push((await given.call('cycle.new', { task: 'x' })).cycle_id);
    expect(ids[0]).toMatch(/^cycle-v1-20260122T100000-[a-z0-9]{6}$/);
    expect(await given.call('cycle.list')).toEqual(ids.sort());
  });

  it('CS-2: does not take the place of another', async () => {
    const given = givenCycles();
    await given.create();
    const before = given.bytes();
    expect(await given.refused('cycle.new', { task: 'x' })).toMatchObject({ code: 'cycle_exists' });
    expect(given.bytes()).toEqual(before);
    const progressOnly = givenCycles();
    progressOnly.write(progress('ra/requirements.md'), 'x');
    expect((await progressOnly.refused('cycle.new', { task: 'x' })).code).toBe('cycle_exists');
  });
});

describe('events', () => {
  it('CS-31, CS-32, CS-33, CS-34, CS-35: write the documents that follow the state', async () => {
    const given = givenCycles();
    await given.start();
    const { files } = await given.apply(REQUIREMENTS);
    expect(files).toEqual([STATE, progress('ra/requirements.md')]);
    expect(given.read(progress('ra/requirements.md'))).toBe(
      '# Requirements Specification - v1.0.0\n\nLog in.\n\n## Edge Cases\n\n- Timeout\n',
    );
    for (const event of [PLAN, CHANGES, TESTS]) await given.apply(event);
    const { plan, test_results } = given.state();
    expect(JSON.parse(given.read(progress('ep/plan.json')))).toEqual(plan);
    expect(JSON.parse(given.read(progress('vas/test-results.json')))).toEqual(test_results);
    expect(given.read(progress('cd/changes.log')).split('\n')).toHaveLength(3);
    expect(given.has(progress('coordination/timeline.md'))).toBe(false);
  });

  it('CS-36: keep each old document under its version, and overwrite none', async () => {
    const given = givenCycles();
    await given.start();
    await given.apply(REQUIREMENTS);
    const first = given.read(progress('ra/requirements.md'));
    const { files } = await given.apply({ ...REQUIREMENTS, specification: 'Two.' });
    expect(files).toEqual([STATE, progress('ra/history/requirements-v1.0.0.md'), progress('ra/requirements.md')]);
    expect(given.read(progress('ra/history/requirements-v1.0.0.md'))).toBe(first);
    given.write(progress('ra/requirements.md'), 'by hand');
    given.write(progress('ra/history/requirements-v1.0.1.md'), 'precious');
    await given.apply(REQUIREMENTS);
    expect(given.read(progress('ra/history/requirements-v1.0.1.md'))).toBe('precious');
    expect(given.read(progress('ra/history/requirements-v1.0.1-2.md'))).toBe('by hand');
  });

  it('CS-33: append to a log without changing a byte of it', async () => {
    const given = givenCycles();
    await given.start();
    await given.apply(CHANGES);
    const torn = Buffer.concat([
      Buffer.from(given.read(progress('cd/changes.log'))),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('{"ti'),
    ]);
    given.write(progress('cd/changes.log'), torn);
    await given.apply(CHANGES);
    const after = Buffer.from(given.bytes(given.repo)[progress('cd/changes.log')] ?? '', 'base64');
    expect(after.subarray(0, torn.length).equals(torn)).toBe(true);
    expect(after.subarray(torn.length).toString()).toMatch(/^\n\{"timestamp".*\}\n$/);
  });

  it('CS-41: that are refused leave every byte', async () => {
    const given = givenCycles();
    await given.start();
    await given.apply(CHANGES);
    const before = given.bytes();
    for (const [event, code] of [
      [{ ...TESTS, pass_rate: 101 }, 'contract_invalid'],
      [{ ...PLAN, critical_path: ['TASK-009'] }, 'contract_invalid'],
      [{ ...REQUIREMENTS, agent: 'ep' }, 'cycle_not_owner'],
      [{ type: 'agent.completed', agent: 'ra' }, 'cycle_transition'],
      [{ type: 'iteration.started' }, 'cycle_iteration_open'],
      [{ type: 'iteration.completed' }, 'cycle_agents_open'],
      [{ type: 'decision.made', id: 'D', option: 'a', by: 'user' }, 'cycle_unknown_item'],
      [{ type: 'iteration.begun' }, 'usage'],
      [{ type: 'agent.started', agent: 'qa' }, 'usage'],
    ] as const) {
      expect((await given.refused('cycle.apply', { event })).code).toBe(code);
    }
    expect((await given.refused('cycle.extend', { task: 'x' })).code).toBe('cycle_iteration_open');
    expect((await given.refused('cycle.resume')).code).toBe('cycle_transition');
    expect((await given.refused('cycle.fail', { reason: '' })).code).toBe('usage');
    expect(given.bytes()).toEqual(before);
  });

  it('CS-41: keep the unknown keys of a state', async () => {
    const given = givenCycles();
    await given.create();
    given.write(STATE, JSON.stringify({ mood: 'good', ...given.state(), agents: { ...given.state().agents } }));
    await given.apply({ type: 'iteration.started' });
    expect(given.state()).toMatchObject({ mood: 'good', status: 'running' });
    expect(given.read(STATE)).toBe(JSON.stringify(given.state(), null, 2));
  });

  it('CS-39: come into no cycle that is paused', async () => {
    const given = givenCycles();
    await given.start();
    await given.on('cycle.pause');
    expect(await given.on('cycle.control')).toEqual({
      cycleId: ID,
      status: 'paused',
      continue: false,
      action: 'pause',
    });
    const before = given.bytes();
    expect((await given.refused('cycle.apply', { event: REQUIREMENTS })).code).toBe('cycle_not_running');
    expect(given.bytes()).toEqual(before);
    await given.on('cycle.resume');
    await given.apply(REQUIREMENTS);
  });

  it('CS-40: of the four agents may come at the same time', async () => {
    const given = givenCycles();
    await given.start();
    const words = (content: number) => ({
      type: 'feedback.logged',
      source: 'a',
      target: 'b',
      content: String(content),
      feedback: 'clarification',
    });
    await Promise.all(Array.from({ length: 20 }, (_, content) => given.apply(words(content))));
    const contents = given.state().coordination.feedback_log.map(({ content }) => Number(content));
    expect(contents.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, content) => content));
  });
});

describe('a whole cycle', () => {
  it('CS-48: no command shortens what only grows', async () => {
    const given = givenCycles();
    await given.start();
    const steps = [
      () => iterate(given),
      () => given.on('cycle.extend', { task: 'Add MFA' }),
      () => given.apply({ type: 'agent.failed', agent: 'ra', error: 'no network' }),
      () => iterate(given),
      () => given.on('cycle.complete'),
      () => given.on('cycle.extend', { task: 'Add SMS' }),
      () => given.on('cycle.pause'),
      () => given.on('cycle.resume'),
      () => given.on('cycle.rebuild', { apply: true, force: true }),
      () => given.on('cycle.resume'),
      () => given.on('cycle.fail', { reason: 'no money' }),
    ];
    for (const step of steps) {
      const [before, files] = [given.state(), given.bytes()];
      await step();
      const after = given.state();
      const lists = ({ task_history, iterations, phase_errors, changes, coordination }: typeof after) => [
        task_history,
        iterations.filter(({ completed_at }) => completed_at),
        phase_errors,
        changes?.changes ?? [],
        coordination.feedback_log,
      ];
      for (const [index, list] of lists(before).entries())
        expect(lists(after)[index]?.slice(0, list.length)).toEqual(list);
      const now = given.bytes();
      for (const [path, content] of Object.entries(files)) {
        if (/changes\.log$|timeline\.md$/.test(path)) {
          expect(Buffer.from(now[path] ?? '', 'base64').toString()).toContain(
            Buffer.from(content, 'base64').toString(),
          );
        }
        if (path.includes('/history/')) expect(now[path]).toBe(content);
      }
    }
    expect(given.read(progress('coordination/timeline.md')).split('\n')).toHaveLength(3);
    expect(readdirSync(join(given.repo, progress('ra/history')))).toEqual(['requirements-v1.0.0.md']);
    expect(given.state()).toMatchObject({ status: 'failed', current_iteration: 3 });
  });

  it('CS-29: goes beyond its limit only when the user raises it', async () => {
    const given = givenCycles();
    await given.call('cycle.new', { id: ID, task: 'x', maxIterations: 1 });
    await given.apply({ type: 'iteration.started' });
    await iterate(given);
    expect((await given.refused('cycle.extend', { task: 'y' })).code).toBe('cycle_max_iterations');
    expect((await given.refused('cycle.apply', { event: { type: 'iteration.started' } })).code).toBe(
      'cycle_max_iterations',
    );
    expect(await given.on('cycle.extend', { task: 'y', maxIterations: 2 })).toMatchObject({ max_iterations: 2 });
  });

  it('CS-47: sync says which documents differ, and changes nothing', async () => {
    const given = givenCycles();
    await given.start();
    await iterate(given);
    expect(await given.on('cycle.sync')).toMatchObject({ valid: true, parsed: { drift: [] } });
    given.write(progress('ep/plan.json'), '{}');
    given.write(progress('coordination/timeline.md'), 'mine');
    const before = given.bytes();
    const report = await given.report('cycle.sync');
    expect(report).toMatchObject({
      contract: 'cycle/cycle-state@1',
      subject: ID,
      valid: false,
      parsed: { drift: [progress('ep/plan.json'), progress('coordination/timeline.md')] },
    });
    expect(given.bytes()).toEqual(before);
  });

  it('CS-42: reads are fresh, and change nothing', async () => {
    const given = givenCycles();
    await given.start();
    await iterate(given);
    const before = given.bytes();
    for (const method of ['cycle.show', 'cycle.control', 'cycle.validate', 'cycle.sync', 'cycle.rebuild'] as const)
      await given.on(method);
    await given.call('cycle.list');
    expect(given.bytes()).toEqual(before);
    given.write(STATE, given.read(STATE).replace('"status": "running"', '"status": "paused"'));
    expect(await given.on('cycle.control')).toMatchObject({ continue: false, action: 'pause' });
  });
});

describe('a rebuild', () => {
  it('CS-46: is a dry run without --apply, and keeps what it replaces', async () => {
    const given = givenCycles();
    await given.start();
    for (const event of [REQUIREMENTS, PLAN, CHANGES, TESTS]) await given.apply(event);
    const { requirements, plan, changes, test_results } = given.state();
    const corrupt = Buffer.from([0x7b, 0xff, 0x00, 0x22]);
    given.write(STATE, corrupt);
    const before = given.bytes();
    expect(await given.on('cycle.rebuild')).toMatchObject({
      valid: true,
      parsed: { intact: false, written: false, savedAs: null },
    });
    expect(given.bytes()).toEqual(before);
    const { parsed } = await given.on('cycle.rebuild', { apply: true });
    expect(parsed).toMatchObject({ written: true, savedAs: expect.stringMatching(/\.json\.corrupt-20260122T\d{6}$/) });
    expect(given.bytes(given.repo)[parsed.savedAs]).toBe(corrupt.toString('base64'));
    expect(given.state()).toEqual(parsed.state);
    expect(given.state()).toMatchObject({ plan, changes, test_results, status: 'paused' });
    expect(given.state().requirements).toMatchObject({ version: requirements?.version, specification: 'Log in.' });
    expect(await given.on('cycle.validate')).toMatchObject({ valid: true });
    expect(await given.on('cycle.sync')).toMatchObject({ valid: true });
    expect(await given.call('cycle.list')).toEqual([ID]);
    await given.on('cycle.resume');
    await given.apply(REQUIREMENTS);
  });

  it('CS-46: replaces a state that can be read only with --force', async () => {
    const given = givenCycles();
    await given.start();
    const before = given.bytes();
    expect(await given.on('cycle.rebuild')).toMatchObject({ valid: true, parsed: { intact: true } });
    expect((await given.refused('cycle.rebuild', { apply: true })).code).toBe('cycle_state_intact');
    expect(given.bytes()).toEqual(before);
    expect(await given.on('cycle.rebuild', { apply: true, force: true })).toMatchObject({ parsed: { written: true } });
    expect(given.state()).toMatchObject({ status: 'paused', task_history: ['Implement OAuth authentication'] });
  });

  it('CS-46: makes a state that is gone from the documents alone', async () => {
    const given = givenCycles();
    given.write(progress('ra/requirements.md'), '# Requirements Specification - v1.0.0\n\nLog in.\n');
    expect(await given.on('cycle.rebuild', { apply: true })).toMatchObject({
      parsed: { written: true, savedAs: null, intact: false },
    });
    expect(given.state()).toMatchObject({ title: 'Log in.', status: 'paused' });
  });

  it('CS-45: writes nothing if a document cannot be read', async () => {
    const given = givenCycles();
    await given.start();
    given.write(STATE, '{');
    given.write(progress('ep/plan.json'), '{"tasks":');
    const before = given.bytes();
    for (const options of [{}, { apply: true }, { apply: true, force: true }]) {
      const report = await given.report('cycle.rebuild', options);
      expect(report).toMatchObject({ valid: false, parsed: { state: null, written: false } });
      expect(report.errors.map(({ code }) => code)).toEqual(['CYCLE_REBUILD_UNREADABLE']);
    }
    expect(given.bytes()).toEqual(before);
  });

  it('CS-46: no other command acts on a state that cannot be read', async () => {
    const given = givenCycles();
    await given.start();
    given.write(STATE, '{');
    const before = given.bytes();
    const acts = [
      ['cycle.show', {}],
      ['cycle.control', {}],
      ['cycle.pause', {}],
      ['cycle.resume', {}],
      ['cycle.complete', {}],
      ['cycle.fail', { reason: 'x' }],
      ['cycle.extend', { task: 'x' }],
      ['cycle.apply', { event: REQUIREMENTS }],
      ['cycle.sync', {}],
    ] as const;
    for (const [method, params] of acts) {
      const { code, data } = await given.refused(method, params);
      expect([method, code, data]).toMatchObject([
        method,
        'contract_invalid',
        { errors: [{ code: 'CYCLE_PARSE_ERROR' }] },
      ]);
    }
    expect(await given.on('cycle.validate')).toMatchObject({
      valid: false,
      errors: [{ code: 'CYCLE_PARSE_ERROR' }],
      parsed: null,
    });
    expect(given.bytes()).toEqual(before);
  });

  it('CS-5: a state that is not valid is not changed', async () => {
    const given = givenCycles();
    await given.start();
    const { coordination, ...rest } = given.state();
    given.write(STATE, JSON.stringify(rest));
    const before = given.bytes();
    const { code, data } = await given.refused('cycle.pause');
    expect([code, data]).toMatchObject([
      'contract_invalid',
      { errors: [{ code: 'CYCLE_MISSING_FIELD', field: 'coordination', path: STATE }] },
    ]);
    expect(await given.on('cycle.control')).toMatchObject({ continue: true });
    expect(await given.on('cycle.validate', { mode: 'soft' })).toMatchObject({ valid: true });
    expect(given.bytes()).toEqual(before);
  });
});

describe('ids and places', () => {
  it('CS-49: list has the ids, sorted, and no other file', async () => {
    const given = givenCycles();
    expect(await given.call('cycle.list')).toEqual([]);
    await given.create();
    given.write('.workflow/.cycle/cycle-v1-20260121-ab12.json', 'not JSON');
    given.write(`${STATE}.corrupt-20260122T100000`, '{}');
    given.write('.workflow/.cycle/notes.json', '{}');
    given.write('.workflow/.cycle/cycle-v1-20260121-ab13.json/x', 'a directory');
    expect(await given.call('cycle.list')).toEqual(['cycle-v1-20260121-ab12', ID]);
  });

  it('CS-50: what is not there is exit 4, and for a validator a verdict', async () => {
    const given = givenCycles();
    const before = given.bytes();
    for (const method of ['cycle.show', 'cycle.control', 'cycle.pause', 'cycle.sync', 'cycle.rebuild'] as const) {
      expect(await given.refused(method)).toMatchObject({ code: 'contract_not_found', data: { what: 'cycle' } });
    }
    expect((await given.refused('cycle.apply', { event: REQUIREMENTS })).code).toBe('contract_not_found');
    expect((await given.refused('cycle.rebuild', { apply: true })).code).toBe('contract_not_found');
    const report = await given.report('cycle.validate');
    expect([report.valid, report.errors.map(({ code }) => code)]).toEqual([false, ['CYCLE_NOT_FOUND']]);
    expect(given.bytes()).toEqual(before);
  });

  it('CS-50: an id is never a path', async () => {
    const given = givenCycles();
    await given.create();
    const before = given.bytes();
    for (const id of ['../outside', '.', '', `${ID}/../x`, `${ID}\n`, '/etc/passwd', `x/${ID}`]) {
      for (const [method, params] of [
        ['cycle.new', { task: 'x' }],
        ['cycle.show', {}],
        ['cycle.validate', {}],
        ['cycle.apply', { event: REQUIREMENTS }],
        ['cycle.rebuild', { apply: true, force: true }],
      ] as const) {
        expect((await given.refused(method, { ...params, id })).code).toBe('usage');
      }
    }
    expect(given.bytes()).toEqual(before);
  });

  it('CC-3: a repository that is not there is exit 4', async () => {
    const given = givenCycles();
    const repo = join(given.root, 'nowhere');
    for (const method of ['cycle.list', 'cycle.show', 'cycle.pause', 'cycle.new'] as const) {
      expect(await given.refused(method, { repo, task: 'x' })).toMatchObject({
        code: 'contract_not_found',
        data: { what: 'repository' },
      });
    }
  });

  it('refuses to write where a run does, and reads there', async () => {
    const given = givenCycles({ isInUse: true });
    expect((await given.refused('cycle.new', { task: 'x' })).code).toBe('contract_in_use');
    given.write(STATE, '{}');
    const before = given.bytes();
    expect((await given.refused('cycle.pause')).code).toBe('contract_in_use');
    expect((await given.refused('cycle.rebuild', { apply: true, force: true })).code).toBe('contract_in_use');
    expect(await given.on('cycle.show')).toEqual({});
    expect(await given.on('cycle.rebuild')).toMatchObject({ parsed: { intact: true } });
    expect(given.bytes()).toEqual(before);
  });
});
