import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PerformerPorts } from '../../../../../daemon/engine/performers/performer.ts';
import { discoverStep } from '../../../../../daemon/kinds/step/performers/discoverStep.ts';
import type { StepEffect } from '../../../../../daemon/kinds/step/performers/step.ts';
import { addWorktree } from '../../../../../daemon/repository/worktree/addWorktree.ts';
import type { RepoFacts } from '../../../../../schemas/repoFacts.ts';
import { type ScratchRepo, scratchRepo } from '../../../../helpers/repo.ts';

let repo: ScratchRepo;
const path = process.env.PATH;
beforeEach(() => {
  repo = scratchRepo();
});
afterEach(() => {
  process.env.PATH = path;
  repo.cleanup();
});

/** A system that makes namespaces only so many times. */
function givenUnshare(times: number): void {
  const bin = join(repo.root, 'bin');
  const log = join(bin, 'calls');
  mkdirSync(bin);
  const script = `#!/bin/sh\necho call >>${log}\n[ "$(wc -l <${log})" -le ${times} ]\n`;
  writeFileSync(join(bin, 'unshare'), script, { mode: 0o755 });
  process.env.PATH = `${bin}:${path}`;
}

test.skipIf(process.platform !== 'linux')('runs nothing with fewer limits than a person approved', async () => {
  const marker = join(repo.root, 'ran');
  const baseCommit = repo.commit({ Makefile: `test:\n\ttouch ${marker}\n` });
  const dir = join(repo.root, 'step');
  const effect = { lane: { repoPath: repo.dir }, baseCommit, dir } as StepEffect;
  const ports = { lintKnowledge: () => ({}) } as unknown as PerformerPorts;
  const { signal } = new AbortController();
  // One for each time that the list is made.
  givenUnshare(2);
  const asked = await discoverStep(effect, ports, signal);
  const plan = 'ask' in asked ? asked.ask : undefined;
  expect(plan?.limits[0]).toBe('no network');
  const probes = { plan: plan?.plan ?? '', run: true };
  expect(await discoverStep({ ...effect, probes }, ports, signal)).toMatchObject({ ok: true });
  expect(existsSync(marker)).toBe(false);
});

test('commands find what the set-up of the run made, and its variables', async () => {
  const test = 'grep -q made node_modules/x && test "$$MODE-$$PORT" = test-4000 && test "$$DEVFLOW_WORKTREE" = "$$PWD"';
  const baseCommit = repo.commit({ '.gitignore': 'node_modules/\n', Makefile: `test:\n\t${test}\n` });
  const lane = { repoPath: repo.dir, path: join(repo.root, 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...lane, startCommit: baseCommit });
  mkdirSync(join(lane.path, 'node_modules'));
  writeFileSync(join(lane.path, 'node_modules/x'), 'made\n');
  const dir = join(repo.root, 'step');
  const variables = { PORT: '4000', DEVFLOW_WORKTREE: lane.path };
  const setup = { env: { MODE: 'test' }, ports: ['PORT'], variables };
  const effect = { lane, baseCommit, dir, schema: 'tpl/repo-facts@2' } as unknown as StepEffect;
  const ports = { lintKnowledge: () => ({}) } as unknown as PerformerPorts;
  const { signal } = new AbortController();
  const asked = await discoverStep(effect, ports, signal);
  const probes = { plan: 'ask' in asked ? asked.ask.plan : '', run: true };
  const found = async (more: Partial<StepEffect>) => {
    const done = await discoverStep({ ...effect, probes, ...more }, ports, signal);
    if (!('data' in done)) throw new Error('it asks again');
    return done.data as RepoFacts;
  };
  const classOf = async (more: Partial<StepEffect>) => (await found(more)).facts.map(({ probe }) => probe.class);
  expect(await classOf({})).toEqual(['red_at_base']);
  expect(await classOf({ setup })).toEqual(['green']);
  expect(existsSync(join(lane.path, 'node_modules/x'))).toBe(true);
  expect((await found({ setup })).uncovered).toEqual([]);
  mkdirSync(join(lane.path, `node_modules/${'d/'.repeat(202)}`), { recursive: true });
  expect((await found({ setup })).uncovered).toEqual([
    { path: 'node_modules', why: 'the commands ran without it: it has more than 200 directories in each other' },
  ]);
  const deep = Array.from({ length: 310 }, (_, nth) => [`a/b/c/d/e/${nth}/Makefile`, 'test:\n']);
  const many = { baseCommit: repo.commit(Object.fromEntries(deep)) };
  const again = await discoverStep({ ...effect, ...many }, ports, signal);
  const plan = 'ask' in again ? again.ask.plan : '';
  const { uncovered } = await found({ ...many, setup, probes: { plan, run: true } } as Partial<StepEffect>);
  expect([uncovered.length, uncovered[0]?.path]).toEqual([301, 'node_modules']);
});
