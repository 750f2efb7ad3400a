import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../../../../daemon/db/database.ts';
import { databasePrefix } from '../../../../daemon/engine/temporal/connect.ts';
import { findDifferences } from '../../../../daemon/store/verify.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { startTemporalServer } from '../../../helpers/temporalServer.ts';
import { listWorkflows } from '../../../helpers/temporalWorkflows.ts';
import { until } from '../../../helpers/until.ts';
import { newRun } from '../../core/support/run.ts';
import { createStage, playRun } from './support/playedRun.ts';
import { seedRun } from './support/seedRun.ts';
import { openStubEngine, type StubPlace } from './support/stubEngine.ts';
import { temporalPlace } from './support/temporalPlace.ts';

const onLocal = useDatabase();
const onTemporal = useDatabase();

/** A whole run takes some 110 events of its workflow's history, so it continues several times. */
const FEW_EVENTS = 'limit.historyCount.suggestContinueAsNew=25';
const RUN_ID = derivedId('continueAsNew', 1);

/** Plays the run, with repairs, recoveries and requests for changes. */
async function play(database: Database, temporal?: StubPlace['temporal']) {
  const stage = createStage();
  const { engine, runLog, close } = await openStubEngine(
    { connection: database.connection, ...(temporal && { temporal }) },
    stage.performOn,
  );
  try {
    await engine.reconcile();
    const run = await seedRun(database.pool, runLog, newRun({ runId: RUN_ID, template: 'development' }), 1);
    const bound = engine.adopt(run);
    await playRun(engine, stage, run.id, true);
    await bound;
    const events = await runLog.readEvents(run.id, 0, 10_000);
    const after = (await runLog.readRun(run.id)) ?? run;
    const log = events.map(({ ts: _, ...event }) => event);
    return { log, differences: await findDifferences(database.pool, after) };
  } finally {
    await close();
  }
}

test('a run whose workflow continues as new several times has the log of the local engine', async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'devflow-continued-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const { program, ...place } = temporalPlace();
  const server = await startTemporalServer(program, directory, [FEW_EVENTS]);
  onTestFinished(() => server.stop());
  const temporal = { ...place, address: server.address };
  const played = await play(onTemporal(), temporal);
  expect(played).toEqual({ ...(await play(onLocal())), differences: [] });
  const workflowId = `${await databasePrefix(onTemporal().pool)}-run-${RUN_ID}`;
  // The server lists executions a moment after they ended.
  const continued = await until('the server lists the executions that continued', async () => {
    const ids = await listWorkflows(temporal, 'ContinuedAsNew');
    return ids.length >= 3 ? ids : undefined;
  });
  expect(new Set(continued)).toEqual(new Set([workflowId]));
  console.log(`${played.log.length} events are equal; the workflow continued as new ${continued.length} times`);
});
