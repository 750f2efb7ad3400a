import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitRequest } from '../../daemon/db/committer.ts';
import type { Database } from '../../daemon/db/database.ts';
import { openDatabase } from '../../daemon/db/open.ts';
import { leadMigrated } from '../../daemon/startup/lead.ts';
import { creation, givenTemplate, runRow } from '../daemon/db/given.ts';
import { makeDirectory, ROOT } from './place.ts';

/** An embedded Postgres, opened, migrated and led as the daemon does it. It checks that fsync is on. */
export async function withDatabase<T>(use: (database: Database, epoch: number) => Promise<T>): Promise<T> {
  const home = makeDirectory();
  mkdirSync(join(home, 'data'));
  const database = await openDatabase({
    mode: 'embedded',
    dataDir: join(home, 'data', 'postgres'),
    socketDir: join(home, 's'),
    logFile: join(home, 'postgres.log'),
    binariesCacheDir: join(home, 'binaries'),
  });
  try {
    const leadership = await leadMigrated(database, {
      migrationsDir: join(ROOT, 'daemon', 'db', 'migrations'),
      mayMigrate: true,
      onLost: (error) => {
        throw error;
      },
    });
    const { rows } = await database.pool.query(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS durable`,
    );
    if (rows[0].fsync !== 'on' || rows[0].durable !== 'on') throw new Error(`not durable: ${JSON.stringify(rows[0])}`);
    try {
      return await use(database, leadership.epoch);
    } finally {
      await leadership.release();
    }
  } finally {
    await database.stopServer();
    rmSync(home, { recursive: true, force: true });
  }
}

/** A run that exists in the database, and its next transition. */
export interface BenchRun {
  id: string;
  /** One event. With rows, also the run and its phase, as a phase transition writes them. */
  next(withRows: boolean): CommitRequest;
}

/** Creates runs with one phase each, in one call. */
export async function makeRuns(database: Database, count: number): Promise<BenchRun[]> {
  const { rows } = await database.pool.query(`SELECT id FROM workflow_templates LIMIT 1`);
  const templateId = rows[0]?.id ?? (await givenTemplate(database));
  const made = Array.from({ length: count }, () => describeRun(templateId));
  await database.pool.query('SELECT devflow_commit(NULL, $1)', [JSON.stringify(made.map(({ first }) => first))]);
  return made.map(({ run }) => run);
}

function describeRun(templateId: string): { run: BenchRun; first: CommitRequest } {
  const row = runRow(templateId);
  const phase = { id: randomUUID(), run_id: row.id, phase_key: 'spec', seq: 1, state: 'running', attempts: 1 };
  let seq = 1;
  const run: BenchRun = {
    id: row.id,
    next(withRows) {
      const expectedSeq = seq;
      seq += 1;
      const ts = new Date().toISOString();
      const payload = {
        attempt: seq,
        cause: 'first',
        path: `/work/${row.id}/.devflow/artifacts/spec/${seq}/spec.json`,
      };
      return {
        runId: row.id,
        expectedSeq,
        events: [{ type: 'phase.started', phaseId: phase.id, key: `phase.started:${phase.id}:${seq}`, payload, ts }],
        ...(withRows
          ? { rows: { runs: [{ ...row, updated_at: ts }], run_phases: [{ ...phase, attempts: seq, updated_at: ts }] } }
          : {}),
      };
    },
  };
  return { run, first: creation(row, { rows: { runs: [row], run_phases: [phase] } }) };
}
