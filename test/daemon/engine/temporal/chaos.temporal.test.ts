import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createCommitter } from '../../../../daemon/db/committer.ts';
import { connectionConfig } from '../../../../daemon/db/connect.ts';
import { type Database, databaseOver } from '../../../../daemon/db/database.ts';
import { migrate } from '../../../../daemon/db/migrate.ts';
import { createRunLog, type RunLog } from '../../../../daemon/store/runLog.ts';
import { findDifferences } from '../../../../daemon/store/verify.ts';
import type { RunEvent } from '../../../../schemas/events/index.ts';
import { resolvePaths } from '../../../../schemas/files/paths.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { MIGRATIONS_DIR } from '../../../helpers/globalPostgres.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { startPrivatePostgres } from '../../../helpers/privatePostgres.ts';
import { startTemporalServer } from '../../../helpers/temporalServer.ts';
import { until } from '../../../helpers/until.ts';
import { newRun } from '../../core/support/run.ts';
import { createKillableHost, type KillableHost } from './support/killableHost.ts';
import { seedRun } from './support/seedRun.ts';
import { temporalPlace } from './support/temporalPlace.ts';

const RUNS = 16;
const KINDS = ['host', 'temporal', 'postgres', 'history', 'host', 'temporal', 'postgres', 'history'] as const;

const calm = useDatabase();

function open(connection: Database['connection']): Database {
  return databaseOver('external', connectionConfig(connection), { adopted: true, stop: async () => {} });
}

async function seedRuns(database: Database): Promise<void> {
  const committer = createCommitter(database.connection, { host: null, epoch: null });
  const runLog = createRunLog(database.pool, committer);
  for (let nth = 1; nth <= RUNS; nth += 1)
    await seedRun(database.pool, runLog, newRun({ runId: derivedId('chaos', nth), template: 'development' }), nth);
  await committer.close();
}

async function countEvents({ pool }: Database): Promise<number> {
  return Number((await pool.query('SELECT count(*) AS n FROM run_events')).rows[0].n);
}

const allEnded = (database: Database) =>
  until('all runs have ended', async () => {
    const { rows } = await database.pool.query(
      `SELECT 1 FROM runs WHERE state <> 'completed' OR final_report_path IS NULL`,
    );
    return rows.length === 0;
  });

/** The logs by run, and what a replay says of the rows. */
async function readAll(database: Database) {
  const committer = createCommitter(database.connection, { host: null, epoch: null });
  const runLog: RunLog = createRunLog(database.pool, committer);
  const logs: Omit<RunEvent, 'ts'>[][] = [];
  const differences: unknown[] = [];
  for (let nth = 1; nth <= RUNS; nth += 1) {
    const runId = derivedId('chaos', nth);
    const events = await runLog.readEvents(runId, 0, 10_000);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    logs.push(events.map(({ ts: _, ...event }) => event));
    const run = await runLog.readRun(runId);
    if (run) differences.push(...(await findDifferences(database.pool, run)));
  }
  await committer.close();
  return { logs, differences };
}

/** A host with its journal, ended after the test. */
function givenHost(directory: string, name: string, place: Omit<Parameters<typeof createKillableHost>[0], 'journal'>) {
  const journal = join(directory, name);
  writeFileSync(journal, '');
  const host = createKillableHost({ ...place, journal });
  onTestFinished(() => host.kill('SIGKILL'));
  const doubled = () => {
    const lines = readFileSync(journal, 'utf8').trimEnd().split('\n');
    return lines.filter((line, at) => lines.indexOf(line) !== at);
  };
  return { host, doubled };
}

async function playCalm(directory: string): Promise<Omit<RunEvent, 'ts'>[][]> {
  const database = calm();
  await seedRuns(database);
  const { host } = givenHost(directory, 'calm', { connection: database.connection });
  await host.start();
  await allEnded(database);
  await host.kill('SIGKILL');
  return (await readAll(database)).logs;
}

test('kill -9 of a host, Temporal, Postgres and all that Temporal knew leaves the logs of an undisturbed engine', async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-chaos-')));
  // As root, the database server runs as another user, who must be able to enter.
  chmodSync(directory, 0o711);
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const expected = await playCalm(directory);
  const paths = resolvePaths({ DEVFLOW_HOME: join(directory, 'home') });
  const postgres = await startPrivatePostgres(paths);
  onTestFinished(() => postgres.stop());
  const { program, ...place } = temporalPlace();
  const temporal = await startTemporalServer(program, directory);
  onTestFinished(() => temporal.kill());
  let database = open(postgres.config);
  await migrate(database, MIGRATIONS_DIR);
  await seedRuns(database);
  const { host, doubled } = givenHost(directory, 'journal', {
    connection: postgres.config,
    temporal: { ...place, address: temporal.address },
  });
  await host.start();

  const kill: Record<(typeof KINDS)[number], (host: KillableHost) => Promise<void>> = {
    async host() {
      await host.kill('SIGKILL');
      await host.start();
    },
    async temporal() {
      await temporal.kill();
      await temporal.start();
    },
    async history() {
      await temporal.kill();
      for (const name of readdirSync(directory)) if (name.startsWith('temporal.db')) rmSync(join(directory, name));
      await temporal.start();
    },
    async postgres() {
      await database.close().catch(() => {});
      process.kill(postgres.pid(), 'SIGKILL');
      await host.ended();
      await postgres.start();
      database = open(postgres.config);
      await host.start();
    },
  };
  const total = expected.flat().length;
  for (const [nth, kind] of KINDS.entries()) {
    const atLeast = (total * (nth + 1)) / (KINDS.length + 2);
    await until(`${atLeast} events are written`, async () => (await countEvents(database)) >= atLeast);
    await kill[kind](host);
  }
  await allEnded(database);
  const { logs, differences } = await readAll(database);
  await database.close();
  expect(logs).toEqual(expected);
  expect(differences).toEqual([]);
  expect(doubled()).toEqual([]);
  console.log(`${logs.flat().length} of ${total} events are equal after ${KINDS.length} kills`);
});
