import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RunDetail } from '../../schemas/rpc/views/run.ts';
import { makeDaemon, startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';
import { proveEnd, scenario } from './support.ts';

const isGate = ({ type }: { type: string }) => type === 'approval.requested';
const atGate = { decide: () => undefined, stopAt: isGate };

async function gateOf(daemon: TestDaemon, runId: string): Promise<string> {
  const [gate] = await daemon.call('approval.list', { runId, state: 'pending', limit: 1 });
  return gate?.id ?? '';
}

/** The results of the winners and the errors of the losers. */
async function race<T>(...tries: Promise<T>[]): Promise<{ won: T[]; lost: unknown[] }> {
  const ends = await Promise.allSettled(tries);
  return {
    won: ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])),
    lost: ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : [])),
  };
}

test('of two clients that decide a gate at once, one wins and one gets a conflict', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  const clients = await Promise.all([daemon.client(), daemon.client()]);
  for (let nth = 1; nth <= 3; nth += 1) {
    let gates = 0;
    const there = (event: { type: string }) => {
      if (isGate(event)) gates += 1;
      return gates === nth;
    };
    await drive(daemon, runId, { decide: () => undefined, stopAt: there });
    const approvalId = await gateOf(daemon, runId);
    const { won, lost } = await race(
      ...clients.map((client) =>
        client.call('approval.decide', { approvalId, action: 'approve', clientToken: randomUUID() }),
      ),
    );
    expect(won).toMatchObject([{ created: true, state: 'approved' }]);
    expect(lost).toMatchObject([{ code: 'decision_conflict', data: { state: 'approved' } }]);
    const rows = await daemon.query('SELECT id FROM approval_decisions WHERE approval_request_id = $1', [approvalId]);
    expect(rows).toEqual([{ id: won[0]?.decisionId }]);
  }
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
});

test('one token makes one decision; another action with it is a conflict', async () => {
  const daemon = await startDaemon();
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  await drive(daemon, runId, atGate);
  const approvalId = await gateOf(daemon, runId);
  const clientToken = randomUUID();
  const approve = () => daemon.call('approval.decide', { approvalId, action: 'approve', clientToken });
  const [first, second] = await Promise.all([approve(), approve()]);
  expect([first.created, second.created].sort()).toEqual([false, true]);
  expect(first.decisionId).toBe(second.decisionId);
  await daemon.restart();
  expect(await approve()).toMatchObject({ decisionId: first.decisionId, created: false, state: 'approved' });
  await expect(daemon.call('approval.decide', { approvalId, action: 'reject', clientToken })).rejects.toMatchObject({
    code: 'decision_conflict',
    message: expect.stringContaining('with approve, not with reject'),
  });
  await drive(daemon, runId);
  await proveEnd(daemon, runId, 'completed');
  expect(await approve()).toMatchObject({ decisionId: first.decisionId, created: false });
});

test('refuses a second open run for a repository and base branch, and names the first', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  repo.git('branch', 'other');
  const { won, lost } = await race(
    startRun(daemon, { repo: repo.dir }),
    startRun(daemon, { repo: `${repo.dir}/src/..`, base: 'main' }),
  );
  const [runId = ''] = won;
  expect(won).toHaveLength(1);
  expect(lost).toMatchObject([{ code: 'active_run_exists', data: { currentRunId: runId } }]);
  await drive(daemon, runId, atGate);
  await expect(startRun(daemon, { repo: repo.dir })).rejects.toMatchObject({
    code: 'active_run_exists',
    data: { currentRunId: runId, currentState: 'awaiting_approval' },
  });
  const other = await startRun(daemon, { repo: repo.dir, base: 'other' });
  await Promise.all([runId, other].map((id) => drive(daemon, id)));
  for (const id of [runId, other]) await proveEnd(daemon, id, 'completed');
  const next = await startRun(daemon, { repo: repo.dir });
  await daemon.call('run.abort', { runId: next });
  await proveEnd(daemon, next, 'aborted');
});

test('one start token makes one run, also at once and after a restart', async () => {
  const daemon = await startDaemon();
  const request = { repo: daemon.repo().dir, clientToken: randomUUID() };
  const ids = await Promise.all([startRun(daemon, request), startRun(daemon, request)]);
  await daemon.restart();
  ids.push(await startRun(daemon, request));
  expect(new Set(ids)).toEqual(new Set([request.clientToken]));
  await drive(daemon, request.clientToken);
  await proveEnd(daemon, request.clientToken, 'completed');
});

test('keeps to MAX_CONCURRENT_RUNS, also for starts at once: the others are queued', async () => {
  const daemon = await startDaemon({ env: { DEVFLOW_MAX_CONCURRENT_RUNS: '2' } });
  const requirements = scenario('spec=timeout');
  const repos = [daemon.repo(), daemon.repo(), daemon.repo(), daemon.repo()];
  const ids = await Promise.all(repos.map(({ dir }) => startRun(daemon, { repo: dir, requirements })));
  const begun = (runId: string) => drive(daemon, runId, { stopAt: ({ type }) => type === 'prompt.sent' });
  const queue = async () =>
    (await daemon.call('run.list', { state: 'created' })).flatMap(({ runId, queue }) => (queue ? [runId] : []));
  const waiting = await queue();
  expect(waiting).toHaveLength(2);
  const atWork = ids.filter((runId) => !waiting.includes(runId));
  await Promise.all(atWork.map(begun));
  await daemon.restart();
  expect((await queue()).sort()).toEqual([...waiting].sort());
  for (const runId of atWork) await daemon.call('run.abort', { runId });
  await Promise.all(waiting.map(begun));
  for (const runId of waiting) await daemon.call('run.abort', { runId });
  for (const runId of ids) await proveEnd(daemon, runId, 'aborted');
});

test('follows four runs without a gap or a double while the daemon restarts and is killed', async () => {
  const daemon = await startDaemon();
  const repos = [daemon.repo(), daemon.repo(), daemon.repo(), daemon.repo()];
  const runs = await Promise.all(
    repos.map(({ dir }) => startRun(daemon, { repo: dir, extra: { verify: [['true']] } })),
  );
  let gates = 0;
  let disturbance: Promise<void> | undefined;
  const disturb = async (signal: 'SIGKILL' | 'SIGTERM') => {
    await disturbance;
    await daemon.kill(signal);
    await daemon.start();
  };
  const logs = await Promise.all(
    runs.map((runId) =>
      drive(daemon, runId, {
        decide() {
          gates += 1;
          if (gates === 3) disturbance = disturb('SIGKILL');
          if (gates === 6) disturbance = disturb('SIGTERM');
          if (gates === 9) disturbance = disturb('SIGKILL');
          return { action: 'approve' };
        },
      }),
    ),
  );
  await disturbance;
  expect(gates).toBe(12);
  const worktrees = new Set<string>();
  for (const [index, runId] of runs.entries()) {
    const { run, events } = await proveEnd(daemon, runId, 'completed');
    expect(logs[index]).toEqual(events);
    worktrees.add((run as RunDetail).worktreeRoot);
  }
  expect(worktrees.size).toBe(4);
});

test('a second daemon on the same database is refused, and the first one goes on', async () => {
  const first = await startDaemon();
  const url = first.env.DEVFLOW_DATABASE_URL ?? '';
  const second = await makeDaemon({ env: { DEVFLOW_DATABASE_URL: url } });
  // On Temporal several daemons share a database, each as a host of its own; this one would be the same host.
  const isShared = first.env.DEVFLOW_ENGINE === 'temporal';
  const leads = {
    code: 'daemon_running',
    message: expect.stringContaining(`pid ${first.pid()}`),
    data: { pid: first.pid() },
  };
  const taken = { code: 'host_taken', data: { isUp: true } };
  await expect(second.start()).rejects.toMatchObject(isShared ? taken : leads);
  expect(await second.exited()).toEqual({ code: isShared ? 2 : 3, signal: null });

  const foreground = await first.cli(['up', '--foreground']);
  expect(foreground).toMatchObject({ code: 3, stderr: expect.stringContaining(`pid ${first.pid()}`) });
  expect(await first.cli(['up', '--json'])).toMatchObject({ code: 0, stdout: expect.stringContaining('false') });
  expect(await first.call('daemon.status', {})).toMatchObject({ daemon: { pid: first.pid() } });
});
