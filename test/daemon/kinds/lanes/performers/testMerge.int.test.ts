import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { EffectOf } from '../../../../../daemon/core/effect/effect.ts';
import { testMerge } from '../../../../../daemon/kinds/lanes/performers/testMerge.ts';
import { openPrivateGit } from '../../../../../daemon/repository/privateGit/privateGit.ts';
import { NO_BRANCH, removeDetachedWorktree } from '../../../../../daemon/repository/worktree/detachedWorktree.ts';
import { keepSetupState, readSetupState } from '../../../../../daemon/setup/setupState.ts';
import { gitPorts } from '../../../engine/local/support/performing.ts';
import { AT, given } from '../../../repository/merge/given.ts';

/** A repository with an open main, and the tests of merges there with these shell scripts as checks. */
async function givenQueue() {
  const at = given();
  const main = { ...(await at.open('main')), startCommit: at.base };
  const worktree = join(at.runDir, 'integration');
  onTestFinished(() => removeDetachedWorktree({ repoPath: at.repo.dir, path: worktree }));
  const test = (scripts: string[], lanes: { laneId: string; head: string }[] = [], more: object = {}) =>
    ({
      type: 'testMerge',
      runId: 'run',
      key: 'key',
      phaseId: 'phase',
      laneId: 'main',
      main,
      worktree,
      base: at.base,
      lanes,
      checks: {
        hash: 'hash',
        commands: scripts.map((script) => ({ argv: ['sh', '-c', script], timeoutMs: 60_000 })),
      },
      nth: 1,
      known: [],
      dir: join(at.repo.root, 'out'),
      at: AT,
      ...more,
    }) as unknown as EffectOf<'testMerge'>;
  return { at, test };
}

it('brings the last lines of what a failed check printed, and its signs, without secrets', async () => {
  const { test } = await givenQueue();
  const leaks = "printf 'error: ghp_%s\\n' abcdefghijklmnopqrstuvwx";
  const scripts = ['echo fine', `echo red; ${leaks} >&2; exit 1`];
  const outcome = await testMerge(test(scripts), gitPorts, new AbortController().signal);
  const results = [{ exitCode: 0 }, { exitCode: 1, tail: expect.stringMatching(/^red\nerror: \[masked/) }];
  expect(outcome).toMatchObject({ type: 'mergeTested', test: { failed: [1], results } });
  expect(outcome).not.toHaveProperty('test.results.0.tail');
  expect(outcome).toHaveProperty('test.results.1.signs', [expect.stringMatching(/^error: \[masked/)]);
});

it('runs the checks of a merge again, at its tree, after a pause stopped them', async () => {
  const { at, test } = await givenQueue();
  const log = join(at.repo.root, 'log');
  const go = join(at.repo.root, 'go');
  const scripts = [
    `echo first $(ls) >> ${log}`,
    `echo second $(ls) >> ${log}; while [ ! -e ${go} ]; do sleep 0.05; done`,
  ];
  const one = [at.lane('lane-1', { 'one.txt': 'one\n' })];

  const pause = new AbortController();
  const stopped = testMerge(test(scripts, one), gitPorts, pause.signal);
  await expect.poll(() => existsSync(log) && readFileSync(log, 'utf8'), { timeout: 20_000 }).toContain('second');
  pause.abort();
  expect(await stopped).toBeUndefined();

  appendFileSync(go, '');
  const { signal } = new AbortController();
  const two = [at.lane('lane-2', { 'two.txt': 'two\n' })];
  expect(await testMerge(test(scripts, two), gitPorts, signal)).toMatchObject({
    type: 'mergeTested',
    test: { failed: [] },
  });
  expect(await testMerge(test(scripts, one), gitPorts, signal)).toMatchObject({
    type: 'mergeTested',
    test: { failed: [] },
  });
  const seen = readFileSync(log, 'utf8').trim().split('\n');
  expect(seen.slice(-2)).toEqual(['first', 'second'].map((check) => `${check} README.md f.txt old.txt one.txt src`));
});

/** A set-up by one command. */
const setUpBy = (at: { repo: { root: string } }, script: string, more: object = {}) => {
  const lists = { copy: [], clone: [], link: [], again: [], teardown: [], ports: ['PORT'], env: { MODE: 'test' } };
  const setup = { ...lists, isGuess: false, commands: [{ argv: ['sh', '-c', script] }], ...more };
  const dir = join(at.repo.root, 'out');
  return { setup: { setup, names: { DEVFLOW_LANE: 'checks' }, timeoutMs: 60_000, dir, isCheck: true } };
};
const IGNORED = { '.gitignore': 'node_modules/\n' };
const perform = (effect: EffectOf<'testMerge'>) => testMerge(effect, gitPorts, new AbortController().signal);

it('sets its worktree up once, and again only for another lock file', async () => {
  const { at, test } = await givenQueue();
  const log = join(at.repo.root, 'log');
  const install = `mkdir -p node_modules; cp lock node_modules/lock; echo "$(cat lock) $DEVFLOW_LANE $MODE" >> ${log}`;
  const more = setUpBy(at, install, { again: ['lock'] });
  const checks = ['cmp lock node_modules/lock && test -n "$PORT" && test "$MODE" = test'];
  const one = [at.lane('lane-1', { ...IGNORED, lock: '1\n' })];
  const two = [at.lane('lane-2', { ...IGNORED, lock: '1\n', 'two.txt': 'two\n' })];
  const three = [at.lane('lane-3', { ...IGNORED, lock: '2\n' })];
  for (const lanes of [one, two, three])
    expect(await perform(test(checks, lanes, more))).toMatchObject({ type: 'mergeTested', test: { failed: [] } });
  expect(readFileSync(log, 'utf8')).toBe('1 checks test\n2 checks test\n');
});

it('counts a set-up that fails as a failed check, and tries it again with the next test', async () => {
  const { at, test } = await givenQueue();
  const go = join(at.repo.root, 'go');
  const more = setUpBy(at, `test -e ${go} || { echo no registry >&2; exit 3; }`);
  const failed = { argv: ['sh', '-c', expect.any(String)], exitCode: 3, tail: 'no registry' };
  expect(await perform(test(['true'], [], more))).toMatchObject({ test: { failed: [0], results: [failed] } });
  appendFileSync(go, '');
  expect(await perform(test(['true'], [], more))).toMatchObject({ test: { failed: [] } });
});

it('gives a set-up that failed its whole time again, however late it is asked for', async () => {
  const { at, test } = await givenQueue();
  const go = join(at.repo.root, 'go');
  const effect = test(['true'], [], setUpBy(at, `test -e ${go} || exit 3`));
  expect(await perform(effect)).toMatchObject({ test: { results: [{ exitCode: 3 }] } });
  appendFileSync(go, '');
  const { gitDir } = await openPrivateGit({ repoPath: at.repo.dir, path: effect.worktree, branch: NO_BRANCH });
  const state = await readSetupState({ gitDir });
  // As long ago as a person may be away.
  const longAgo = Object.fromEntries(Object.keys(state.started).map((id) => [id, '2020-01-01T00:00:00.000Z']));
  await keepSetupState({ gitDir, path: effect.worktree }, { started: longAgo });
  expect(await perform(effect)).toMatchObject({ test: { failed: [] } });
});

it('asks a person about a set-up that fails where checks prove findings', async () => {
  const { at, test } = await givenQueue();
  const { setup } = setUpBy(at, 'exit 3');
  const asked = perform(test(['true'], [], { setup: { ...setup, isCheck: false } }));
  await expect(asked).rejects.toMatchObject({ code: 'setup_failed', message: expect.stringContaining('exit 3') });
});

it('runs the checks where the guess of a set-up failed', async () => {
  const { at, test } = await givenQueue();
  const more = setUpBy(at, 'exit 3', { isGuess: true });
  const setup = { exitCode: 3, reason: 'exit 3', argv: ['sh', '-c', 'exit 3'] };
  const results = [{ exitCode: 0 }];
  expect(await perform(test(['true'], [], more))).toMatchObject({ test: { failed: [], results, setup } });
});
