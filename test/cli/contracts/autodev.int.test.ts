import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { givenRepository } from './givenRepository.ts';

const POINTER = '_docs/_autodev_state.md';
const TEXT = `# Autodev State
## Current Step
flow: existing-code
step: 9
name: New Task
status: in_progress
sub_step:
  phase: 2
  name: task-definition
  detail: "asks: “which?”"
retry_count: 0
cycle: 3
`;

/** A repository with a pointer. */
async function given(text: string | null = TEXT) {
  const given = await givenRepository('autodev', text === null ? {} : { [POINTER]: text });
  return { ...given, read: () => readFileSync(join(given.repo, POINTER), 'utf8') };
}

describe('devflow autodev show', () => {
  it('AD-20: prints the pointer, the steps and the verdict', async () => {
    const { run } = await given();
    const { code, out } = await run('show');
    expect(code).toBe(0);
    expect(out).toContain('phase           2 task-definition: asks: “which?”\n');
    expect(out).toContain('   8  Refactor                    DONE\n');
    expect(out).toContain('   9  New Task                    IN PROGRESS (2 task-definition)\n');
    expect(out).toContain('_docs/_autodev_state.md: valid');
  });
  it('AD-3: says in a verdict that there is none, with exit code 1', async () => {
    const { json, run } = await given(null);
    expect(await json('show')).toEqual({
      code: 1,
      value: {
        contract: 'autodev/state@1',
        subject: POINTER,
        valid: false,
        errors: [{ code: 'AUTODEV_NOT_FOUND', message: 'There is no pointer.', path: POINTER, line: null }],
        warnings: [],
        parsed: null,
      },
    });
    expect(await run('show')).toMatchObject({ code: 1, err: '', out: expect.stringContaining('[AUTODEV_NOT_FOUND]') });
  });
  it('prints a hostile pointer safely', async () => {
    const { run } = await given(TEXT.replace('New Task', '\u001b[31mred\u202e').replace('flow: ', 'flow: \u0007'));
    const { code, out } = await run('show');
    expect(code).toBe(1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(out).not.toMatch(/[\u0007\u001b\u202e]/);
  });
});

describe('devflow autodev detect and reconcile', () => {
  it('AD-16: print what the folders show', async () => {
    const { json, run } = await given();
    expect(await json('detect', '--flow', 'existing-code', '--cycle', '5')).toEqual({
      code: 0,
      value: {
        flow: 'existing-code',
        flowRule: 'given',
        step: 1,
        name: 'Document',
        rule: 'not-documented',
        gate: null,
        allows: [1, 1],
        cycle: 5,
      },
    });
    expect((await run('detect')).out).toContain('step           1 Problem\n');
    expect((await run('detect')).out).toMatch(/^allowed steps +1$/m);
  });
  it('AD-22: say that it is a dry run, and write with --apply', async () => {
    const { json, run, read } = await given();
    const dry = await run('reconcile');
    expect(dry).toMatchObject({ code: 0, err: '' });
    expect(dry.out).toContain('Give --apply to write the pointer.');
    expect(dry.out).toContain('[AUTODEV_DISAGREES]');
    expect(read()).toBe(TEXT);
    const { code, value } = await json('reconcile', '--apply');
    expect(code).toBe(0);
    expect(value).toMatchObject({ valid: true, errors: [], parsed: { written: true, reason: 'folder' } });
    expect(read()).toContain('flow: existing-code\nstep: 1\nname: Document\nstatus: not_started\n');
    expect((await run('reconcile', '--apply')).out).toMatch(/^source +state-file$/m);
  });
  it('AD-23: ask for a decision after three failed retries', async () => {
    const failed = TEXT.replace('in_progress', 'failed').replace('retry_count: 0', 'retry_count: 3');
    const { run, json } = await given(failed.replace('step: 9\nname: New Task', 'step: 1\nname: Document'));
    expect((await run('reconcile')).out).toContain('devflow autodev record started --decided');
    expect(await json('record', 'started')).toMatchObject({
      code: 5,
      value: { error: { code: 'autodev_needs_user', class: 'human_required' } },
    });
    expect((await json('record', 'started', '--decided')).value.pointer).toMatchObject({
      status: 'in_progress',
      retry_count: 0,
    });
  });
});

describe('devflow autodev record', () => {
  it('AD-25: records a save point', async () => {
    const { json, read } = await given();
    const { code, value } = await json('record', 'sub-step', '--phase', '3', '--name', 'a-b', '--detail', 'x: "y"');
    expect(code).toBe(0);
    expect(value).toMatchObject({ left: null, boundary: null, autoChain: false });
    expect(value.pointer.sub_step).toEqual({ phase: 3, name: 'a-b', detail: 'x: "y"' });
    expect(read()).toContain('  detail: "x: \\"y\\""\n');
  });
  it('AD-30: prints the question at a boundary', async () => {
    const { run } = await given();
    const { code, out } = await run('record', 'completed');
    expect(code).toBe(0);
    expect(out).toMatch(/^left +9 New Task \(completed\)$/m);
    expect(out).toContain('\nDECISION REQUIRED: New Task complete — start Implement?\n');
    expect(out.trimEnd().split('\n').slice(-10)).toHaveLength(10);
  });
  it('AD-30: names what a flow asks instead', async () => {
    const meta = TEXT.replace('existing-code', 'meta-repo').replace(
      'step: 9\nname: New Task',
      'step: 2\nname: Config Review',
    );
    const { run, repo } = await given(meta.replace('cycle: 3', 'cycle: 1'));
    writeFileSync(join(repo, '_docs', '_repo-config.yaml'), 'confirmed_by_user: true\n');
    expect((await run('record', 'completed')).out).toContain('The session ends here: human-review before Status.\n');
  });
  it('AD-3: needs a pointer, with exit code 4', async () => {
    const { json } = await given(null);
    expect(await json('record', 'started')).toMatchObject({
      code: 4,
      value: { error: { code: 'contract_not_found', data: { what: 'pointer' } } },
    });
  });
  it('AD-24: refuses with its code, and leaves the file', async () => {
    const { json, read } = await given();
    expect(await json('record', 'started')).toMatchObject({
      code: 5,
      value: { error: { code: 'autodev_transition' } },
    });
    expect(await json('record', 'skipped')).toMatchObject({
      code: 5,
      value: { error: { code: 'autodev_step_not_optional' } },
    });
    expect(read()).toBe(TEXT);
  });
  it('shows the findings of a pointer that is not valid, with exit code 1', async () => {
    const { json } = await given(TEXT.replace('step: 9', 'step: 9.5'));
    expect(await json('record', 'completed')).toMatchObject({
      code: 1,
      value: { error: { code: 'contract_invalid', data: { errors: [{ code: 'AUTODEV_INVALID_STEP', line: 4 }] } } },
    });
  });
});

describe('devflow autodev flows', () => {
  it('prints the data of one or all', async () => {
    const { json, run } = await given();
    const all = (await json('flows')).value;
    expect(Object.keys(all)).toEqual(['greenfield', 'existing-code', 'meta-repo']);
    expect((await json('flows', 'meta-repo')).value).toEqual(all['meta-repo']);
    expect((await run('flows', 'greenfield')).out).toMatch(/^ +5 {2}Decompose +the session ends here$/m);
    expect((await run('flows')).out).toContain('Architecture Baseline Scan');
  });
});

describe('wrong use', () => {
  it.each([
    ['detect', '--flow', 'brownfield'],
    ['detect', '--cycle', 'soon'],
    ['detect', '--cycle', '0'],
    ['detect', '--cycle'],
    ['flows', 'brownfield'],
    ['record'],
    ['record', 'finished'],
    ['record', 'sub-step'],
    ['record', 'sub-step', '--phase', 'soon', '--name', 'a'],
    ['record', 'sub-step', '--phase', '2.5', '--name', 'a'],
    ['record', 'sub-step', '--phase', '-1', '--name', 'a'],
    ['record', 'sub-step', '--phase', '3', '--name', 'Batch Loop'],
    ['record', 'completed', '--phase', '3'],
    ['record', 'completed', '--decided'],
    ['show', '--frob'],
    ['frob'],
    [],
  ])('%s %s %s %s is exit code 2, and nothing is written', async (...words) => {
    const { run, read } = await given();
    expect(await run(...words)).toMatchObject({ code: 2, out: '' });
    expect(read()).toBe(TEXT);
  });
  it('is not a missing repository: exit code 4', async () => {
    const { json, root } = await given();
    const nowhere = join(root, 'nowhere');
    for (const words of [['show'], ['detect'], ['reconcile'], ['record', 'completed'], ['flows']]) {
      expect(await json(...words, '--repo', nowhere)).toMatchObject({
        code: 4,
        value: { error: { code: 'contract_not_found', data: { what: 'repository' } } },
      });
    }
    expect(readdirSync(root)).not.toContain('nowhere');
  });
});

it('answers the same with a daemon and without', async () => {
  const { repo, json, oneshot } = await given();
  for (const [method, params, words] of [
    ['show', {}, []],
    ['detect', {}, []],
    ['reconcile', {}, []],
    ['flows', { flow: 'greenfield' }, ['greenfield']],
  ] as const) {
    expect([method, (await oneshot(method, params)).result]).toEqual([method, (await json(method, ...words)).value]);
  }
  const refused = await oneshot('record', { event: 'started' });
  expect(refused).toEqual((await json('record', 'started')).value);
  const recorded = await oneshot('record', { event: 'completed' });
  writeFileSync(join(repo, POINTER), TEXT);
  expect(recorded.result).toEqual((await json('record', 'completed')).value);
});
