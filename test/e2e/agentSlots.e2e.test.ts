import { copyFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, readLog, startRun } from '../helpers/drive.ts';
import { payloads, proveEnd, scenario } from './support.ts';

const withLimit = (limit: number) => ({ DEVFLOW_MAX_CONCURRENT_AGENTS: String(limit) });

/** A run whose first agent works until the test writes its artifact. */
async function startWorking(daemon: TestDaemon): Promise<string> {
  const runId = await startRun(daemon, { repo: daemon.repo().dir, requirements: scenario('spec=timeout') });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'session.busy' });
  return runId;
}

/** A run whose first agent finds no free slot. */
async function startWaiting(daemon: TestDaemon): Promise<string> {
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, { stopAt: ({ type }) => type === 'session.created' });
  return runId;
}

/** Does the work of the run's agent. */
async function finishWork(daemon: TestDaemon, runId: string): Promise<void> {
  const [expected] = payloads(await readLog(daemon, runId), 'artifact.expected');
  const fixture = join(packageRoot(), 'schemas/artifacts/fixtures', String(expected?.schema), 'ok.json');
  copyFileSync(fixture, `${expected?.path}.part`);
  renameSync(`${expected?.path}.part`, String(expected?.path));
}

/** Leaves its first gate undecided. */
const untilGate = (daemon: TestDaemon, runId: string) =>
  drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });

const slotsOf = async (daemon: TestDaemon) => (await daemon.call('daemon.status', {})).agentSlots;
const waitsOf = async (daemon: TestDaemon, runId: string) => (await daemon.call('run.get', { runId })).waitingFor;

test('the agent of a second run waits for a slot, says so, and starts when the first has its artifact', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const works = await startWorking(daemon);
  const waits = await startWaiting(daemon);
  const facts = { waitingFor: 'a free agent slot (1 of 1 at work)', waitsForPerson: false, alsoWaitsFor: [] };
  expect(await daemon.call('run.get', { runId: waits })).toMatchObject(facts);
  expect(await daemon.call('run.list', {})).toContainEqual(expect.objectContaining({ runId: waits, ...facts }));
  expect((await daemon.cli(['status'])).stdout).toMatch(/^agents at work +1 of 1, 1 waits for a free slot$/m);
  expect((await daemon.cli(['run', 'show', waits])).stdout).toMatch(/^waiting for +a free agent slot/m);
  const [session] = (await daemon.call('run.get', { runId: waits })).sessions;
  expect((await daemon.cli(['why', session?.sessionId ?? ''])).stdout).toContain('It waits for a free agent slot');

  await finishWork(daemon, works);
  await untilGate(daemon, works);
  // The first run stays at its gate, where its agent needs no slot.
  await untilGate(daemon, waits);
  expect(await slotsOf(daemon)).toEqual({ atWork: 0, waiting: 0, limit: 1 });
  for (const runId of [works, waits]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  }
});

test('a run that waits for a slot when the daemon is killed waits again, and gets it', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const works = await startWorking(daemon);
  const waits = await startWaiting(daemon);
  await daemon.kill('SIGKILL');
  await daemon.start();
  expect(await slotsOf(daemon)).toEqual({ atWork: 1, waiting: 1, limit: 1 });
  expect(await waitsOf(daemon, waits)).toBe('a free agent slot (1 of 1 at work)');
  await finishWork(daemon, works);
  for (const runId of [waits, works]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  }
});

test('after a restart with a lower limit all agents go on, and a new one waits until few enough work', async () => {
  const daemon = await startDaemon({ env: withLimit(2) });
  const [first, second] = [await startWorking(daemon), await startWorking(daemon)];
  await daemon.restart(withLimit(1));
  const third = await startWaiting(daemon);
  expect(await waitsOf(daemon, third)).toBe('a free agent slot (2 of 1 at work)');
  await finishWork(daemon, first);
  await untilGate(daemon, first);
  expect(await waitsOf(daemon, third)).toBe('a free agent slot (1 of 1 at work)');
  await finishWork(daemon, second);
  await untilGate(daemon, third);
  for (const runId of [first, second, third]) {
    await drive(daemon, runId);
    await proveEnd(daemon, runId, 'completed');
  }
});

test('aborting or pausing the run that has the slot gives it to the next', async () => {
  const daemon = await startDaemon({ env: withLimit(1) });
  const paused = await startWorking(daemon);
  const waits = await startWaiting(daemon);
  await daemon.call('run.pause', { runId: paused });
  await untilGate(daemon, waits);
  await daemon.call('run.resume', { runId: paused });
  expect(await slotsOf(daemon)).toEqual({ atWork: 1, waiting: 0, limit: 1 });
  const next = await startWaiting(daemon);
  await daemon.call('run.abort', { runId: paused });
  await untilGate(daemon, next);
  await proveEnd(daemon, paused, 'aborted');
  for (const runId of [waits, next]) {
    await daemon.call('run.abort', { runId });
    await proveEnd(daemon, runId, 'aborted');
  }
});
