import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { resolvePaths } from '../../../schemas/files/paths.ts';
import { givenRepository } from './givenRepository.ts';

const NOW = Date.parse('2026-06-09T12:30:00.123Z');

/** A repository with a state directory. */
async function given(files: Record<string, string> = { 'foo.txt': 'x', 'plan.md': 'p' }) {
  const inState = Object.entries(files).map(([name, text]) => [`.devt/state/${name}`, text]);
  const given = await givenRepository('state', Object.fromEntries(inState), NOW);
  const state = join(given.repo, '.devt/state');
  mkdirSync(state, { recursive: true });
  for (const name of Object.keys(files)) utimesSync(join(state, name), NOW / 1000, NOW / 1000);
  return { ...given, list: () => readdirSync(state).sort() };
}

describe('devflow state', () => {
  it('SD-12, SD-13: audits with a verdict and a table', async () => {
    const { run, json } = await given();
    expect(await json('audit')).toMatchObject({
      code: 1,
      value: { valid: false, parsed: { counts: { ad_hoc: 1, total: 2 } } },
    });
    expect(await json('audit', '--soft')).toMatchObject({ code: 0, value: { valid: true } });
    expect((await run('audit')).out).toContain('[STATE_AD_HOC]');
  });
  it('SD-16, SD-17: cleans up with --apply only', async () => {
    const { run, list, json } = await given();
    expect((await run('cleanup')).out).toContain('Give --apply');
    expect(list()).toEqual(['foo.txt', 'plan.md']);
    expect(await json('cleanup', '--apply', '--archive-runs', '3')).toMatchObject({
      code: 0,
      value: { applied: true },
    });
    expect(list()).toEqual(['.archive', 'plan.md']);
    expect((await run('history')).out).toContain('cleanup-2026-06-09T12-30-00-123Z');
  });
  it('lets no agent and no command reset without a daemon', async () => {
    const { oneshot, env, list } = await given();
    const workspaces = join(resolvePaths(env).dataDir, 'workspaces');
    const refused = { error: { code: 'agent_may_not_decide' } };
    const agent = { DEVFLOW_AGENT: 'a1', DEVFLOW_SESSION_DIR: join(workspaces, 'r1/sessions/a1') };
    const marks: Record<string, string>[] = [
      agent,
      { DEVFLOW_AGENT: 'a1' },
      { DEVFLOW_INTERNAL_COMMAND: join(workspaces, 'r1/commands/c1') },
    ];
    for (const mark of marks) {
      expect(await oneshot('reset', { apply: true }, mark)).toMatchObject(refused);
      expect(await oneshot('reset', {}, mark)).toMatchObject({ result: { applied: false } });
    }
    expect(list()).toEqual(['foo.txt', 'plan.md']);
    const ofAnother = { ...agent, DEVFLOW_SESSION_DIR: '/elsewhere/r1/sessions/a1' };
    expect(await oneshot('reset', { apply: true }, ofAnother)).toMatchObject({ result: { applied: true } });
  });
  it('SD-24, SD-29: plans a reset and an eviction', async () => {
    const { json } = await given({ 'verification.md': 'x', 'deferred.md': 'd' });
    expect((await json('reset')).value).toMatchObject({ kept: ['deferred.md'], applied: false });
    expect((await json('evict')).value).toMatchObject({
      warnings: [{ code: 'STATE_NO_ANCHOR' }],
      actions: [{ reason: 'gate_marker' }],
    });
  });
  it('SD-35, SD-38: begins a workflow', async () => {
    const { run, json, list } = await given({});
    expect((await run('init', '--type', 'dev', '--task', 'x')).out).toContain('This is a dry run.');
    expect(list()).toEqual([]);
    expect((await json('init', '--type', 'dev', '--apply')).value.workflow).toMatchObject({ active: true, task: null });
  });
  it('SD-39, SD-42: reads and updates workflow.yaml', async () => {
    const { run, json } = await given({});
    expect(await json('read')).toMatchObject({
      code: 4,
      value: { error: { code: 'contract_not_found', data: { what: 'workflow' } } },
    });
    expect((await json('update', 'active=true', 'n=3')).value).toMatchObject({ active: true, n: 3 });
    expect(await json('read', 'n')).toEqual({ code: 0, value: 3 });
    expect((await run('read')).out).toMatch(/^active +true$/m);
    expect(await json('update', 'workflow_id_history=x')).toMatchObject({
      code: 5,
      value: { error: { code: 'state_anchor_immutable' } },
    });
  });
  it('SD-45, SD-47: checks sidecars', async () => {
    const { json, run } = await given({ 'review.json': '{"verdict":"NEEDS_WORK"}' });
    expect(await json('sidecar', 'review.json')).toMatchObject({
      code: 0,
      value: { parsed: { verdict: 'NEEDS_WORK' } },
    });
    expect((await json('sidecar', 'verification.json')).value.errors).toMatchObject([{ code: 'SIDECAR_NOT_FOUND' }]);
    expect((await run('validate')).code).toBe(0);
  });
  it('SD-53: finds references', async () => {
    const { json, repo } = await given();
    writeFileSync(join(repo, 'a.md'), 'Read .devt/state/foo.txt.');
    expect(await json('references', 'a.md')).toMatchObject({
      code: 1,
      value: { parsed: { references: [{ name: 'foo.txt' }] } },
    });
  });
  it('SD-55, SD-56: classifies names without a directory', async () => {
    const { json, run, root } = await given();
    mkdirSync(join(root, 'empty'));
    const { code, value } = await json('classify', 'plan.md', '.lock', '--repo', join(root, 'empty'));
    expect([code, value]).toEqual([
      0,
      [
        { name: 'plan.md', bucket: 'canonical', resetExempt: false },
        { name: '.lock', bucket: 'canonical', resetExempt: true },
      ],
    ]);
    expect((await run('classify', 'plan.md', 'foo.txt')).code).toBe(1);
    expect((await json('classify', '--lane', 'Front End')).value).toEqual({
      lane: 'Front End',
      slug: 'front_end',
      file: 'review-lane-front_end.md',
    });
  });
});

describe('wrong use', () => {
  it.each([
    ['audit', '--stale-days=soon'],
    ['cleanup', '--apply', '--stale-days=soon'],
    ['cleanup', '--apply', '--stale-days', '-1'],
    ['cleanup', '--apply', '--ad-hoc-stale-days=1.5'],
    ['reset', '--apply', '--archive-runs=many'],
    ['history', '--limit=all'],
    ['init', '--apply'],
    ['init', '--type', 'soon', '--apply'],
    ['update'],
    ['update', 'a=1', 'b'],
    ['sidecar', '../x.json'],
    ['references'],
    ['classify'],
    ['audit', '--frob'],
    ['frob'],
  ])('SD-15, SD-43: %s %s %s is exit code 2, and nothing is moved', async (...words) => {
    const { run, list } = await given();
    expect(await run(...words)).toMatchObject({ code: 2, out: '' });
    expect(list()).toEqual(['foo.txt', 'plan.md']);
  });
  it('is not a missing repository: exit code 4', async () => {
    const { json, root } = await given();
    for (const words of [['audit'], ['reset', '--apply'], ['update', 'a=b'], ['classify', 'x'], ['history']]) {
      const { code, value } = await json(...words, '--repo', join(root, 'nowhere'));
      expect([code, value.error.data]).toEqual([4, { what: 'repository' }]);
    }
    expect(readdirSync(root)).not.toContain('nowhere');
  });
});

it('answers the same with a daemon and without', async () => {
  const { json, oneshot } = await given({ 'foo.txt': 'x', 'workflow.yaml': 'active: true\n' });
  for (const [method, params, words] of [
    ['audit', {}, []],
    ['validate', {}, []],
    ['cleanup', {}, []],
    ['reset', {}, []],
    ['evict', {}, []],
    ['read', {}, []],
    ['history', {}, []],
    ['classify', { names: ['a'] }, ['a']],
  ] as const) {
    expect([method, (await oneshot(method, params)).result]).toEqual([method, (await json(method, ...words)).value]);
  }
});
