import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { verifyRun } from '../../../../daemon/api/runs/verify.ts';
import type { Database } from '../../../../daemon/db/database.ts';
import { createExchangeFiles } from '../../../../daemon/engine/local/exchangeFiles.ts';
import { noFaults } from '../../../../daemon/system/faults.ts';
import { POINTER_FILE } from '../../../../schemas/contracts/autodev/pointer.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { givenHistory } from '../../../helpers/givenHistory.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { abort, bound, given, started } from '../../core/support/given.ts';

const database = useDatabase();

const engine = { settled: async () => {} };

/** The events of a run whose worktree is this directory. */
function eventsIn(worktreeRoot: string): RunEvent[] {
  return given({ template: 'autodev' }, bound, started).events.map((event) =>
    event.type === 'run.created' ? { ...event, payload: { ...event.payload, worktreeRoot } } : event,
  );
}

/** What an abort adds to them. */
function abortedAfter(worktreeRoot: string): RunEvent[] {
  const count = eventsIn(worktreeRoot).length;
  return given({ template: 'autodev' }, bound, started, abort).events.slice(count);
}

test('AD-34 verify names a file of the exchange that somebody changed', async () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-verify-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktree = join(root, 'main');
  const { run } = await givenHistory(database(), eventsIn(worktree));
  const verify = () => verifyRun(run.id, { database: database(), engine });
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

/** The database, where `meanwhile` is done once, right after a query that contains `text`. */
function interrupted({ pool }: Database, text: string, meanwhile: () => Promise<unknown>): Pick<Database, 'pool'> {
  let isDone = false;
  const onceAfter = (db: { query(...args: unknown[]): Promise<unknown> }) => ({
    async query(...args: unknown[]) {
      const result = await db.query(...args);
      if (!isDone && JSON.stringify(args[0]).includes(text)) {
        isDone = true;
        await meanwhile();
      }
      return result;
    },
  });
  const connect = async () => {
    const client = await pool.connect();
    return { ...onceAfter(client as never), release: () => client.release() };
  };
  return { pool: { ...onceAfter(pool as never), connect } as unknown as Database['pool'] };
}

test('verify reads the log and the rows at one moment, whatever is written between', async () => {
  const events = given({ template: 'development' }, bound, started).events;
  const { run } = await givenHistory(database(), events);
  const { pool } = database();
  const report = () => pool.query('UPDATE runs SET final_report_path = $2 WHERE id = $1', [run.id, '/report.md']);
  const verify = (text: string, act: () => Promise<unknown>) =>
    verifyRun(run.id, { database: interrupted(database(), text, act), engine });
  // The mark of the report is no event.
  expect(await verify('final_report_path', report)).toEqual({ runId: run.id, ok: true, differences: [] });
  const changeRow = () => pool.query("UPDATE runs SET state = 'aborted' WHERE id = $1", [run.id]);
  expect(await verify('FROM run_events', changeRow)).toMatchObject({ ok: true });
  expect(await verifyRun(run.id, { database: database(), engine })).toMatchObject({
    differences: [{ path: `runs.${run.id}.state` }],
  });
});

test('verify does not look at files while the agents of an ended run may still write them', async () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-verify-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { run } = await givenHistory(database(), [...eventsIn(root), ...abortedAfter(root)]);
  const verify = () => verifyRun(run.id, { database: database(), engine });
  expect(await verify()).toMatchObject({ ok: true });
  await database().pool.query("UPDATE runs SET final_report_path = '/report.md' WHERE id = $1", [run.id]);
  expect(await verify()).toMatchObject({ ok: false, differences: [{ path: `files.${POINTER_FILE}` }] });
});
