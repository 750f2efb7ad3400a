import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenRepository } from './givenRepository.ts';

const ID = 'cycle-v1-20260122T100000-abc123';
const STATE = `.workflow/.cycle/${ID}.json`;
const NOW = Date.parse('2026-01-22T10:00:00+08:00');

/** A repository, and what tests do with its one cycle. */
async function given() {
  const given = await givenRepository('cycle', {}, NOW);
  const { json, repo, oneshot } = given;
  return {
    ...given,
    create: () => json('new', '--task', 'Log in', '--id', ID),
    apply: (event: object) => json('apply', ID, '--event', JSON.stringify(event)),
    oneshot: (method: string, params: object = {}) => oneshot(method, { id: ID, ...params }),
    read: () => readFileSync(join(repo, STATE), 'utf8'),
  };
}

describe('devflow cycle', () => {
  it('CS-3: new prints the state that it writes', async () => {
    const { create, read, run } = await given();
    const { code, value } = await create();
    expect([code, value]).toEqual([0, JSON.parse(read())]);
    expect(value).toMatchObject({ cycle_id: ID, title: 'Log in', status: 'created', max_iterations: 5 });
    const { out } = await run('new', '--task', 'x', '--description', 'y', '--max-iterations', '3');
    expect(out).toMatch(/^iteration +0 of 3$/m);
    expect(await run('new', '--task', 'x', '--id', ID)).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringContaining('[cycle_exists]'),
    });
  });

  it('CS-49: list prints the ids', async () => {
    const { create, json, run } = await given();
    expect(await run('list')).toMatchObject({ code: 0, out: 'no cycles\n' });
    await create();
    expect(await json('list')).toEqual({ code: 0, value: [ID] });
    expect((await run('list')).out).toBe(`${ID}\n`);
  });

  it('CS-37: control has exit code 0 only if the agents may go on', async () => {
    const { create, apply, json, run } = await given();
    await create();
    expect(await json('control', ID)).toEqual({
      code: 1,
      value: { cycleId: ID, status: 'created', continue: false, action: 'unknown' },
    });
    await apply({ type: 'iteration.started' });
    expect(await json('control', ID)).toMatchObject({ code: 0, value: { continue: true, action: 'continue' } });
    await json('pause', ID);
    expect(await run('control', ID)).toMatchObject({ code: 1, out: expect.stringMatching(/^action +pause$/m) });
    await json('resume', ID);
    expect(await json('fail', ID, '--reason', 'no money')).toMatchObject({
      code: 0,
      value: { failure_reason: 'no money' },
    });
    expect(await json('control', ID)).toMatchObject({ code: 1, value: { action: 'stop' } });
    expect(await json('complete', ID)).toMatchObject({ code: 5, value: { error: { code: 'cycle_transition' } } });
  });

  it('CS-37: control answers for a status that nobody knows', async () => {
    const { json, write } = await given();
    write(STATE, '{"status":"going"}');
    expect(await json('control', ID)).toMatchObject({ code: 1, value: { status: 'going', action: 'unknown' } });
    write(STATE, '{"status":5}');
    expect(await json('control', ID)).toMatchObject({ code: 1, value: { status: null, action: 'unknown' } });
  });

  it('CS-31: apply prints the state and the files that it wrote', async () => {
    const { create, apply, run, runWith } = await given();
    await create();
    const started = await apply({ type: 'iteration.started' });
    expect(started).toMatchObject({ code: 0, value: { contract: 'cycle/cycle-state@1', subject: ID, files: [STATE] } });
    const event = JSON.stringify({ type: 'requirements.updated', specification: 'x', edge_cases: [] });
    const document = `.workflow/.cycle/${ID}.progress/ra/requirements.md`;
    expect((await run('apply', ID, '--event', event)).out).toContain(`wrote ${STATE}\nwrote ${document}\n`);
    expect((await runWith(event, 'apply', ID, '--event', '-')).out).toMatch(/^requirements +1\.0\.1$/m);
  });

  it('CS-27: extend starts the next iteration', async () => {
    const { create, apply, json } = await given();
    await create();
    expect(await json('extend', ID, '--task', 'x')).toMatchObject({
      code: 5,
      value: { error: { code: 'cycle_transition' } },
    });
    await apply({ type: 'iteration.started' });
    expect(await json('extend', ID, '--task', 'x')).toMatchObject({
      code: 5,
      value: { error: { code: 'cycle_iteration_open' } },
    });
    for (const agent of ['ra', 'ep', 'cd', 'vas']) {
      await apply({ type: 'agent.started', agent });
      await apply({ type: 'agent.completed', agent });
    }
    await apply({ type: 'iteration.completed' });
    const { code, value } = await json('extend', ID, '--task', 'Add MFA', '--max-iterations', '7');
    expect([code, value]).toMatchObject([
      0,
      { current_iteration: 2, max_iterations: 7, task_history: ['Log in', 'Add MFA'] },
    ]);
  });

  it('CS-21: validate has exit code 1 for what is not valid, and --soft forgives what is missing', async () => {
    const { run, json, write } = await given();
    write(STATE, '{"status":"running"}');
    expect(await run('validate', ID)).toMatchObject({
      code: 1,
      err: '',
      out: expect.stringContaining('[CYCLE_MISSING_FIELD]'),
    });
    expect(await json('validate', ID, '--soft')).toMatchObject({
      code: 0,
      value: { valid: true, errors: [], subject: ID },
    });
    expect(await json('validate', 'cycle-v1-20260122-none')).toMatchObject({
      code: 1,
      value: { valid: false, errors: [{ code: 'CYCLE_NOT_FOUND', line: null }], parsed: null },
    });
  });

  it('CS-46: rebuild says what is written', async () => {
    const { create, run, json, write } = await given();
    await create();
    expect((await run('rebuild', ID)).out).toContain('give --apply --force.\n');
    write(STATE, '{');
    expect(await json('show', ID)).toMatchObject({
      code: 1,
      value: { error: { code: 'contract_invalid', data: { errors: [{ code: 'CYCLE_PARSE_ERROR', path: STATE }] } } },
    });
    expect(await run('rebuild', ID)).toMatchObject({ code: 0, out: expect.stringContaining('give --apply.\n') });
    write(`.workflow/.cycle/${ID}.progress/ep/plan.json`, '{');
    expect(await run('rebuild', ID, '--apply')).toMatchObject({
      code: 1,
      out: expect.stringContaining('a document cannot be read.\n'),
    });
    write(`.workflow/.cycle/${ID}.progress/ep/plan.json`, '{"tasks":[]}');
    expect((await run('rebuild', ID, '--apply')).out).toContain(
      `The old one is in ${STATE}.corrupt-20260122T100000.\n`,
    );
    expect((await run('show', ID)).out).toMatch(/^status +paused$/m);
  });

  it('CS-47: sync has exit code 1 for drift', async () => {
    const { create, json, write } = await given();
    await create();
    expect(await json('sync', ID)).toMatchObject({ code: 0, value: { valid: true, parsed: { drift: [] } } });
    write(`.workflow/.cycle/${ID}.progress/ep/plan.json`, '{}');
    expect(await json('sync', ID)).toMatchObject({
      code: 1,
      value: {
        parsed: { drift: [`.workflow/.cycle/${ID}.progress/ep/plan.json`] },
        errors: [{ code: 'CYCLE_FILE_DRIFT' }],
      },
    });
  });

  it('prints a state of another program, whatever it lacks, safely', async () => {
    const { run, write } = await given();
    write(STATE, JSON.stringify({ title: '\u001b[31mred\u202e', agents: { ra: 5, '\u0007': { status: ['x'] } } }));
    const { code, out } = await run('show', ID);
    expect(code).toBe(0);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out).not.toMatch(/[\u0007\u001b\u202e]/);
  });
});

describe('wrong use', () => {
  it.each([
    ['new'],
    ['new', '--task'],
    ['new', '--task', ' '],
    ['new', '--task', 'x', '--max-iterations', 'soon'],
    ['new', '--task', 'x', '--max-iterations', '0'],
    ['new', '--task', 'x', '--id', '../x'],
    ['show'],
    ['show', '../x'],
    ['list', 'x'],
    ['fail', ID],
    ['fail', ID, '--reason', ''],
    ['extend', ID],
    ['extend', ID, '--task', ''],
    ['extend', ID, '--task', 'x', '--max-iterations', '4'],
    ['apply', ID],
    ['apply', ID, '--event', '{'],
    ['apply', ID, '--event', '[]'],
    ['apply', ID, '--event', '{"type":"iteration.begun"}'],
    ['apply', ID, '--event', '{"type":"agent.started","agent":"qa"}'],
    ['validate', ID, '--frob'],
    ['frob'],
    [],
  ])('%s %s %s %s is exit code 2, and nothing is written', async (...words) => {
    const { create, run, read, repo } = await given();
    await create();
    const before = read();
    expect(await run(...words)).toMatchObject({ code: 2, out: '' });
    expect(read()).toBe(before);
    expect(existsSync(join(repo, '.workflow/x'))).toBe(false);
  });

  it('CS-50: what is not there is exit code 4', async () => {
    const { json, root } = await given();
    for (const words of [
      ['show'],
      ['control'],
      ['pause'],
      ['resume'],
      ['complete'],
      ['sync'],
      ['rebuild', '--apply'],
    ]) {
      const [command = '', ...options] = words;
      expect(await json(command, ID, ...options)).toMatchObject({
        code: 4,
        value: { error: { code: 'contract_not_found', data: { what: 'cycle' } } },
      });
    }
    expect(await json('list', '--repo', join(root, 'nowhere'))).toMatchObject({
      code: 4,
      value: { error: { data: { what: 'repository' } } },
    });
  });
});

it('answers the same with a daemon and without', async () => {
  const { create, json, apply, oneshot } = await given();
  await create();
  for (const method of ['show', 'control', 'validate', 'sync']) {
    expect([method, (await oneshot(method)).result]).toEqual([method, (await json(method, ID)).value]);
  }
  const event = { type: 'agent.started', agent: 'ra' };
  expect(await oneshot('apply', { event })).toEqual((await apply(event)).value);
  expect((await oneshot('apply', { event: { type: 'iteration.started' } })).result).toMatchObject({
    files: [STATE],
    state: { status: 'running' },
  });
  expect(await oneshot('show', { id: 'x' })).toEqual((await json('show', 'x')).value);
});
