import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyRun } from '../../../../daemon/api/runs/verify.ts';
import { createExchangeFiles } from '../../../../daemon/engine/local/exchangeFiles.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { POINTER_FILE } from '../../../../schemas/contracts/autodev/pointer.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { givenHistory } from '../../../helpers/givenHistory.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { bound, given, started } from '../../engine/core/support/given.ts';

const database = useDatabase();

/** The events of a run whose worktree is this directory. */
function eventsIn(worktreeRoot: string): RunEvent[] {
  return given({ template: 'autodev' }, bound, started).events.map((event) =>
    event.type === 'run.created' ? { ...event, payload: { ...event.payload, worktreeRoot } } : event,
  );
}

test('AD-34 verify names a file of the exchange that somebody changed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-verify-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktree = join(root, 'main');
  const { run, runLog } = await givenHistory(database(), eventsIn(worktree));
  const verify = () => verifyRun(run.id, { database: database(), runLog, engine: { settled: async () => {} } });
  expect(await verify()).toEqual({ runId: run.id, ok: true, differences: [] });

  mkdirSync(worktree);
  const text = run.exchange?.files[POINTER_FILE];
  const path = `files.${POINTER_FILE}`;
  expect(text).toContain('status: in_progress');
  expect(await verify()).toMatchObject({ ok: false, differences: [{ path, replayed: text, stored: null }] });

  await createExchangeFiles({ faults: noFaults, log: { warn: () => {} } }).write(run);
  expect(await verify()).toMatchObject({ ok: true });
  writeFileSync(join(worktree, POINTER_FILE), 'theirs\n');
  expect(await verify()).toMatchObject({ ok: false, differences: [{ path, replayed: text, stored: 'theirs\n' }] });
});
