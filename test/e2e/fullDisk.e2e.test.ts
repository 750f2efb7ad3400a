import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resolvePaths } from '../../schemas/files/paths.ts';
import { startDaemon } from '../helpers/daemon.ts';
import { type Asked, drive, startRun } from '../helpers/drive.ts';
import { readReport } from '../helpers/eventLog.ts';
import { makePanes, ROLES } from '../helpers/paneDaemon.ts';
import { smallDisk } from '../helpers/smallDisk.ts';
import { until } from '../helpers/until.ts';
import { proveEnd } from './support.ts';

/** Fills the last block with an empty line: that block has room even on a full disk. */
function fillUp(directory: string, name: string): void {
  for (const found of readdirSync(directory, { recursive: true, encoding: 'utf8' })) {
    if (!found.endsWith(name)) continue;
    const path = join(directory, found);
    const room = 4096 - (statSync(path).size % 4096);
    appendFileSync(path, `${JSON.stringify({ room: 'x'.repeat(Math.max(0, room - 12)) })}\n`);
  }
}

test('asks a person when the disk is full as an agent starts or is prompted, and continues the run', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so no disk can be filled here');
  const { daemon } = await makePanes('', { env: { DEVFLOW_WORKSPACE_ROOT: disk.path } });
  await daemon.start();
  const runId = await startRun(daemon, { repo: daemon.repo().dir, backend: ROLES });
  const recoveries: Asked[] = [];
  let seen = 0;
  await drive(daemon, runId, {
    decide(asked) {
      if (asked.kind === 'recovery') {
        recoveries.push(asked);
        disk.free();
      }
      if (asked.gateKey !== 'spec_approved') return { action: 'approve' };
      fillUp(disk.path, 'delivery.jsonl');
      disk.fill();
      seen += 1;
      // First the running planner is prompted again, then the implementer starts.
      return seen === 1 ? { action: 'request_changes', comment: 'Say more.' } : { action: 'approve' };
    },
  });
  await proveEnd(daemon, runId, 'completed');
  expect(recoveries.map(({ subject }) => subject)).toMatchObject([
    { code: 'disk_full', reason: expect.stringMatching(/^There is no space left for .*delivery\.jsonl\.$/) },
    { code: 'disk_full', reason: expect.stringMatching(/^There is no space left /) },
  ]);
});

test('asks a person when the workspace turns read-only, and continues after the repair', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so none can be made read-only here');
  const daemon = await startDaemon({ env: { DEVFLOW_WORKSPACE_ROOT: disk.path } });
  const runId = await startRun(daemon, { repo: daemon.repo().dir });
  const recoveries: Asked[] = [];
  await drive(daemon, runId, {
    decide(asked) {
      if (asked.kind === 'recovery') {
        recoveries.push(asked);
        disk.unlock();
      } else if (asked.gateKey === 'spec_approved' || asked.gateKey === 'plan_approved') disk.lock();
      return { action: 'approve' };
    },
  });
  await proveEnd(daemon, runId, 'completed');
  expect(recoveries.map(({ subject }) => subject)).toMatchObject([
    { code: 'workspace_permissions', reason: expect.stringMatching(/^devflow cannot use \/.*read-only.*\.$/) },
    { code: 'workspace_permissions', reason: expect.stringMatching(/^devflow cannot use \/.*read-only.*\.$/) },
  ]);
});

test('ends a run on a full disk, and writes its report at the next start', async (context) => {
  const disk = smallDisk();
  if (!disk) return context.skip('this user may not mount a tmpfs, so no disk can be filled here');
  const daemon = await startDaemon({ env: { DEVFLOW_WORKSPACE_ROOT: disk.path } });
  const { dir } = daemon.repo();
  const runId = await startRun(daemon, { repo: dir });
  await drive(daemon, runId, {
    decide({ gateKey }) {
      if (gateKey === 'changes_approved') disk.fill();
      return { action: 'approve' };
    },
  });
  await until('the report has failed', () =>
    readFileSync(resolvePaths(daemon.env).logFile, 'utf8')
      .split('\n')
      .some((line) => line.includes('composeReport') && line.includes('disk_full')),
  );
  expect(await daemon.call('run.get', { runId })).toMatchObject({ state: 'completed', finalReportPath: null });
  const shown = await daemon.cli(['run', 'report', runId]);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(runId) });
  const backends = ['--backend', 'planner=fake', '--backend', 'implementer=fake'];
  const start = await daemon.cli(
    ['run', 'start', '--repo', dir, '--template', 'development@1', '--requirements', '-', ...backends],
    { input: 'Make it better.' },
  );
  expect(start.stderr).toMatch(/\[(disk_full|git_failed)\]/);
  expect(start.code).toBe(1);

  disk.free();
  await daemon.restart();
  const { run } = await proveEnd(daemon, runId, 'completed');
  expect(readReport(run)).toMatchObject({ runId, status: 'completed' });
});
