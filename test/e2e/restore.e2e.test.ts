import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followRun } from '../../cli/run/followRun.ts';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { startDaemon, type TestDaemon } from '../helpers/daemon.ts';
import { drive, readLog, startRun } from '../helpers/drive.ts';
import { until } from '../helpers/until.ts';

/** Where the database's files are: as root, outside of the home. */
function dataOf({ env }: TestDaemon): string {
  const { postgresData } = resolvePaths(env);
  const elsewhere = join(postgresData, 'LOCATION');
  return existsSync(elsewhere) ? readFileSync(elsewhere, 'utf8').trim() : postgresData;
}

/** Does something to the files of the database while it is stopped, and starts everything again. */
async function whileStopped(daemon: TestDaemon, act: (data: string) => void): Promise<void> {
  await daemon.stop();
  const data = dataOf(daemon);
  const pidFile = join(data, 'postmaster.pid');
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT');
  await until('the database has stopped', () => !existsSync(pidFile));
  act(data);
  await daemon.startDatabase();
  await daemon.start();
}

/** Follows a run over all restarts, as `devflow run events --follow` does. */
function follow(daemon: TestDaemon, runId: string) {
  const stop = new AbortController();
  const seen = { seqs: [] as number[], restores: 0 };
  const ended = followRun({
    connect: () => daemon.client(),
    runId,
    afterSeq: 0,
    onEvent: ({ seq }) => seen.seqs.push(seq),
    onRestored: () => {
      seen.restores += 1;
      seen.seqs = [];
    },
    signal: stop.signal,
    wait: () => daemon.up(),
  });
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  return seen;
}

test('a run goes on from a restored backup, with a decision that it has taken before', async () => {
  const daemon = await startDaemon({ database: 'embedded' });
  const backup = join(daemon.root, 'backup');
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  const isGate = ({ type }: { type: string }) => type === 'approval.requested';
  const before = await drive(daemon, runId, { stopAt: isGate });
  await whileStopped(daemon, (data) => execFileSync('cp', ['-a', data, backup]));
  let gates = 0;
  const lost = await drive(daemon, runId, {
    stopAt: (event) => {
      gates += isGate(event) ? 1 : 0;
      return gates === 2;
    },
  });
  const seen = follow(daemon, runId);
  await until('the follower is there', () => seen.seqs.length === lost.length);
  await whileStopped(daemon, (data) => {
    rmSync(data, { recursive: true });
    execFileSync('cp', ['-a', backup, data]);
  });
  const restored = await daemon.call('run.get', { runId });
  expect(restored.lastSeq).toBe(before.length);
  expect(lost.length).toBeGreaterThan(before.length);
  const events = await drive(daemon, runId);
  expect(events.at(-1)?.type).toBe('run.completed');
  expect(events.slice(0, before.length)).toEqual(before);
  expect(await daemon.call('run.verify', { runId })).toMatchObject({ ok: true, differences: [] });
  expect(seen.restores).toBe(1);
  const log = await readLog(daemon, runId);
  await until('the follower has all', () => seen.seqs.length >= log.length);
  expect(seen.seqs).toEqual(log.map(({ seq }) => seq));
});
