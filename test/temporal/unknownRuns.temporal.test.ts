import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { startDaemon } from '../helpers/daemon.ts';
import { drive, ended, startRun } from '../helpers/drive.ts';
import type { TestTemporal } from '../helpers/globalTemporal.ts';
import { listWorkflows } from '../helpers/temporalWorkflows.ts';
import { until } from '../helpers/until.ts';

async function hasWorkflow(runId: string): Promise<boolean> {
  const running = await listWorkflows(inject('temporal') as TestTemporal, 'Running');
  return running.some((id) => id.endsWith(runId));
}

/** As in a restored backup that is older than the run. */
const forget = (runId: string) => `DO $$ DECLARE name text; BEGIN
  SET LOCAL session_replication_role = replica;
  FOR name IN SELECT table_name FROM information_schema.columns WHERE column_name = 'run_id' AND table_schema = 'public' LOOP
    EXECUTE format('DELETE FROM %I WHERE run_id = %L', name, '${runId}');
  END LOOP;
  DELETE FROM runs WHERE id = '${runId}';
END $$`;

test('ends the workflow of a run that the database has forgotten, at the next start', async () => {
  const daemon = await startDaemon();
  const repo = daemon.repo();
  const start = async (dir: string) => {
    const runId = await startRun(daemon, { repo: dir });
    await drive(daemon, runId, { stopAt: ({ type }) => type === 'approval.requested', decide: () => undefined });
    await until('it has a workflow', () => hasWorkflow(runId));
    return runId;
  };
  const [forgotten, other] = [await start(repo.dir), await start(daemon.repo().dir)];

  await daemon.stop();
  await daemon.query(forget(forgotten));
  await daemon.start();
  await until('its workflow has ended', async () => !(await hasWorkflow(forgotten)));
  expect(await hasWorkflow(other)).toBe(true);

  await daemon.call('run.abort', { runId: other });
  await ended(daemon, other);
  // What nobody knows any more.
  rmSync(join(daemon.workspaceRoot, forgotten), { recursive: true });
  repo.git('worktree', 'prune');
});
