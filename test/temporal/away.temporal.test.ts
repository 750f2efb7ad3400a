import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, onTestFinished, test } from 'vitest';
import { drive, ended, readLog, startRun } from '../helpers/drive.ts';
import { makePanes, type Panes } from '../helpers/paneDaemon.ts';
import { startTemporalServer, type TemporalServer } from '../helpers/temporalServer.ts';
import { until } from '../helpers/until.ts';

/** A Temporal server that the test ends, and a function that makes a host of it. */
async function givenServer() {
  const program = inject('temporal')?.program ?? '';
  const first = await makePanes('busy-ms=50');
  const directory = join(first.daemon.root, 'temporal');
  mkdirSync(directory);
  const server = await startTemporalServer(program, directory);
  onTestFinished(() => server.kill());
  const envOf = (id: string) => ({
    DEVFLOW_TEMPORAL_ADDRESS: server.address,
    DEVFLOW_TEMPORAL_HOST: id,
    DEVFLOW_DATABASE_URL: first.daemon.env.DEVFLOW_DATABASE_URL as string,
  });
  return { server, host: (id: string) => makePanes('busy-ms=50', { env: envOf(id) }) };
}

const atGate = { stopAt: ({ type }: { type: string }) => type === 'approval.requested', decide: () => undefined };

async function isAway({ daemon }: Panes, server: TemporalServer) {
  await server.kill();
  await until('the daemon knows', async () => Boolean((await daemon.call('daemon.status', {})).temporal?.away));
}

test('a daemon works without Temporal, says what waits for it, and goes on once it is back', async () => {
  const { server, host } = await givenServer();
  await server.kill();
  const { daemon } = await host('near');
  await daemon.start();
  const status = await daemon.call('daemon.status', {});
  expect(status.temporal).toMatchObject({ address: server.address, away: { since: expect.any(String) } });
  const printed = await daemon.cli(['status']);
  expect(printed.code).toBe(0);
  expect(printed.stdout).toMatch(/Temporal +127\.0\.0\.1:\d+: does not answer .*, since 20/);
  expect(printed.stdout).toContain('nothing new begins until it is back.');

  const started = await daemon.ask('run.start', {
    repo: daemon.repo().dir,
    template: 'development@1',
    requirements: 'Make it better.',
    bind: {},
    backend: { planner: 'fake', implementer: 'fake' },
    dryRun: false,
    clientToken: randomUUID(),
  });
  const { runId, warnings } = started as { runId: string; warnings: string[] };
  expect(warnings.at(-1)).toMatch(/^The run begins once Temporal is back\./);
  const other = await startRun(daemon, { repo: daemon.repo().dir });
  expect((await readLog(daemon, runId)).map(({ type }) => type)).toEqual(['run.created']);
  const list = await daemon.call('run.list', {});
  expect(list.map(({ waitingFor }) => waitingFor)).toEqual(Array(2).fill(expect.stringMatching(/^Temporal since 20/)));
  expect((await daemon.cli(['run', 'list'])).stdout).toMatch(/Temporal since 20/);
  const hosts = (await daemon.cli(['host', 'list'])).stdout;
  expect(hosts).toMatch(/near \(this one\) +no Temporal +2/);
  expect(hosts).toContain('nothing new begins until it is back.');
  expect(await daemon.call('run.abort', { runId: other })).toMatchObject({ state: 'aborted' });

  await server.start();
  expect((await drive(daemon, runId)).at(-1)?.type).toBe('run.completed');
  await ended(daemon, other);
  expect((await daemon.call('daemon.status', {})).temporal).toMatchObject({ away: null });
  expect((await daemon.cli(['host', 'list'])).stdout).toMatch(/near \(this one\) +up +0/);
});

test('questions to a host that is up blame Temporal, and decisions that need nothing of it are taken', async () => {
  const { server, host } = await givenServer();
  const near = await host('near');
  const far = await host('far');
  await near.daemon.start();
  await far.daemon.start();
  const onFar = () => startRun(near.daemon, { repo: far.daemon.repo().dir, host: 'far' });
  const runIds = [await onFar(), await onFar()];
  for (const runId of runIds) await drive(near.daemon, runId, atGate);
  await isAway(near, server);
  await expect(onFar()).rejects.toMatchObject({
    code: 'temporal_unreachable',
    message: expect.stringMatching(/^Host far cannot be asked: Temporal does not answer/),
    data: { host: 'far' },
  });
  const gates = await near.daemon.call('approval.list', {});
  const gateOf = (runId: string | undefined) => gates.find((gate) => gate.runId === runId)?.id as string;
  const decide = (runId: string | undefined, action: 'approve' | 'reject') =>
    near.daemon.call('approval.decide', { approvalId: gateOf(runId), action, clientToken: randomUUID() });
  await expect(decide(runIds[0], 'approve')).rejects.toMatchObject({ code: 'temporal_unreachable' });
  expect(await decide(runIds[1], 'reject')).toMatchObject({ state: 'rejected' });
  expect(await near.daemon.call('approval.get', { approvalId: gateOf(runIds[0]) })).toMatchObject({ state: 'pending' });
  expect(await near.daemon.call('run.get', { runId: runIds[0] as string })).toMatchObject({
    waitsForPerson: true,
    alsoWaitsFor: [expect.stringMatching(/^Temporal since /)],
  });
  await server.start();
  await until('it answers', async () => !(await near.daemon.call('daemon.status', {})).temporal?.away);
  await near.daemon.call('run.abort', { runId: runIds[0] as string });
  for (const runId of runIds) await ended(near.daemon, runId as string);
});
