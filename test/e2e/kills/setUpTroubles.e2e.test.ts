import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isAlive } from '../../../schemas/process/processes.ts';
import { shareDaemon, startDaemon, type TestDaemon } from '../../helpers/daemon.ts';
import { drive, startRun } from '../../helpers/drive.ts';
import { smallDisk } from '../../helpers/smallDisk.ts';
import { commitAll, installedRepo, toSetupGate } from '../setUpRuns.ts';
import { payloads, proveEnd } from '../support.ts';

const sharedDaemon = shareDaemon();

const BACKEND = { planner: 'fake', implementer: 'fake' } as const;

async function startWith(daemon: TestDaemon, script: string, worktree: Record<string, unknown> = {}) {
  const { repo } = installedRepo(daemon, { setup: [['sh', '-c', script]], ...worktree });
  const request = { template: 'development@1', backend: BACKEND, extra: { verify: [['true']] }, allowSetup: true };
  return { repo, runId: await startRun(daemon, { repo: repo.dir, ...request }) };
}

test('a set-up that asks a question gets no answer, and is done again once a person gave it one', async () => {
  const daemon = sharedDaemon();
  const answer = join(daemon.root, 'answer');
  const script = `read -r word || word=$(cat '${answer}') || { echo 'Which registry?'; exit 7; }; mkdir node_modules`;
  const { runId } = await startWith(daemon, script);
  const gate = await toSetupGate(daemon, runId);
  expect(gate.shown).toMatch(/The worktree could not be set up: sh -c .*: exit 7\. Set it up again\?/);
  expect(gate.shown).toMatch(/^approve: devflow sets the worktree up again\.$/m);
  expect(gate.shown).toMatch(/Last output:\n(?:.*\n)* {2}Which registry\?\n/);
  writeFileSync(answer, 'npm\n');
  expect(await gate.decide('approve')).toMatchObject({ code: 0 });
  await drive(daemon, runId);
  const { run, events } = await proveEnd(daemon, runId, 'completed');
  expect(payloads(events, 'worktree.set_up').map(({ nth, ok }) => `${nth} ${ok}`)).toEqual(['1 false', '2 true']);
  expect(existsSync(join(run.worktreeRoot, 'node_modules'))).toBe(true);
});

test('a secret of a copied file is masked in what a person and an agent see of a set-up', async () => {
  const daemon = sharedDaemon();
  const { repo } = installedRepo(daemon, { setup: [['sh', 'print.sh']] });
  // The policy reads no files.
  repo.write({ 'print.sh': 'cat .env.local\nexit 4\n' });
  commitAll(repo);
  const request = { template: 'development@1', backend: BACKEND, extra: { verify: [['true']] }, allowSetup: true };
  const runId = await startRun(daemon, { repo: repo.dir, ...request });
  const gate = await toSetupGate(daemon, runId);
  expect(gate.shown).toMatch(/Last output:\n(?:.*\n)* {2}TOKEN=/);
  await gate.decide('abort');
  const events = await drive(daemon, runId);
  for (const text of [gate.shown, JSON.stringify(events)]) expect(text).not.toContain('not-a-real-secret-token');
  await proveEnd(daemon, runId, 'aborted');
});

test('a set-up that prints 100 MB fills neither the disk nor the gate, and the run goes on without it', async () => {
  const daemon = sharedDaemon();
  const lots = "head -c 100000000 /dev/zero | tr '\\0' x";
  const { runId } = await startWith(daemon, `${lots}; echo; echo 'at last'; ${lots} >&2; echo 'no room' >&2; exit 9`);
  const gate = await toSetupGate(daemon, runId);
  expect(gate.shown.length).toBeLessThan(30_000);
  expect(gate.shown).toContain('no room');
  const { stdoutPath, stderrPath } = gate.subject as { stdoutPath: string; stderrPath: string };
  for (const path of [stdoutPath, stderrPath]) expect(statSync(path).size).toBeLessThan(65 * 1024 * 1024);
  expect(await gate.decide('reject')).toMatchObject({ code: 0 });
  await drive(daemon, runId);
  const { events } = await proveEnd(daemon, runId, 'completed');
  expect(JSON.stringify(events).length).toBeLessThan(500_000);
  expect((await daemon.cli(['run', 'show', runId])).stdout).toMatch(/set-up +without set-up/);
});

test('what a set-up commits and changes before it fails is no work of the run', async () => {
  const daemon = sharedDaemon();
  const script =
    'echo 2 > package-lock.json; rm README.md; git add -A; git commit -qm mine; echo 3 > package-lock.json; exit 5';
  const { repo, runId } = await startWith(daemon, script);
  const gate = await toSetupGate(daemon, runId);
  const { worktreeRoot, branch } = await daemon.call('run.get', { runId });
  const lock = () => readFileSync(join(worktreeRoot, 'package-lock.json'), 'utf8');
  expect([lock(), existsSync(join(worktreeRoot, 'README.md'))]).toEqual(['1\n', true]);
  const shown = (await daemon.cli(['run', 'show', runId])).stdout;
  expect(shown).toMatch(
    /The set-up changed refs\/heads\/\S+, README\.md, package-lock\.json, and devflow put them back/,
  );
  await gate.decide('reject');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(repo.git('log', '--format=%s', String(branch))).not.toContain('mine');
  expect(repo.git('show', `${branch}:package-lock.json`)).toBe('1');
});

test('a set-up that hangs is stopped with all that it started, and the run can be aborted', async () => {
  const daemon = await startDaemon({ env: { DEVFLOW_COMMAND_TIMEOUT_MS: '3000' } });
  const started = join(daemon.root, 'started');
  const { runId } = await startWith(daemon, `setsid sleep 1000 & echo $! > '${started}'; trap '' TERM; sleep 1001`);
  const gate = await toSetupGate(daemon, runId);
  expect(gate.shown).toContain('timed out after 3000 ms');
  const pid = readFileSync(started, 'utf8').trim();
  expect(isAlive(Number(pid))).toBe(false);
  expect(await gate.decide('abort')).toMatchObject({ code: 0 });
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'aborted');
});

test('a full disk in the clone asks a person, and the set-up is done again once there is room', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so no disk can be filled here');
  const daemon = await startDaemon({ env: { DEVFLOW_WORKSPACE_ROOT: disk.path } });
  const { repo } = installedRepo(daemon, { setup: [['true']], clone: ['node_modules'] });
  const large = Object.fromEntries(
    Array.from({ length: 4 }, (_, nth) => [`node_modules/${nth}`, 'x'.repeat(3_000_000)]),
  );
  repo.write(large);
  const request = { template: 'development@1', backend: BACKEND, extra: { verify: [['true']] }, allowSetup: true };
  const runId = await startRun(daemon, { repo: repo.dir, ...request });
  const gate = await toSetupGate(daemon, runId);
  expect(gate.shown).toMatch(/could not be set up: There is no space left .*node_modules/);
  const { worktreeRoot } = await daemon.call('run.get', { runId });
  expect(existsSync(join(worktreeRoot, 'node_modules'))).toBe(false);
  expect(existsSync(join(worktreeRoot, '..', '.placing'))).toBe(false);
  for (const path of Object.keys(large).slice(1)) rmSync(join(repo.dir, path));
  await gate.decide('approve');
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(statSync(join(worktreeRoot, 'node_modules', '0')).size).toBe(3_000_000);
});
