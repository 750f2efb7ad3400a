import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { databasePrefix } from '../../../../daemon/engine/temporal/connect.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { newRun, type Shape } from '../../core/support/run.ts';
import { createStage, playRun } from './support/playedRun.ts';
import { isMissing, listHistories, recordHistory } from './support/recordedHistory.ts';
import { seedRun } from './support/seedRun.ts';
import { openStubEngine } from './support/stubEngine.ts';
import { temporalPlace } from './support/temporalPlace.ts';

const database = useDatabase();

/** How the recordings were made: the run, and whether its host restarts while it goes on. */
const RECORDERS: Record<string, { shape: Shape; isTroubled: boolean; restarts: boolean }> = {
  happy: { shape: { template: 'development', approvalTimeoutMs: 3_600_000 }, isTroubled: false, restarts: false },
  troubled: { shape: { template: 'development', approvalTimeoutMs: 3_600_000 }, isTroubled: true, restarts: false },
  restarted: { shape: { template: 'development' }, isTroubled: false, restarts: true },
};

/** Plays the run on a Temporal server. */
async function play({ shape, isTroubled, restarts }: (typeof RECORDERS)[string]): Promise<string> {
  const stage = createStage();
  const place = { connection: database().connection, temporal: temporalPlace() };
  let open = await openStubEngine(place, stage.performOn);
  await open.engine.reconcile();
  const run = await seedRun(database().pool, open.runLog, newRun(shape), 1);
  const bound = open.engine.adopt(run);
  if (restarts) {
    await playRun(open.engine, stage, run.id, isTroubled, 7);
    await bound;
    await open.close();
    open = await openStubEngine(place, stage.performOn);
    await open.engine.reconcile();
  }
  await playRun(open.engine, stage, run.id, isTroubled);
  await open.close();
  return `${await databasePrefix(database().pool)}-run-${run.id}`;
}

test('real workflows replay every recorded history', () => {
  const program = join(import.meta.dirname, 'support', 'replayHistories.ts');
  const said = execFileSync(process.execPath, [program, JSON.stringify(temporalPlace())], { encoding: 'utf8' });
  expect(JSON.parse(said)).toEqual(listHistories().map((name) => ({ name, error: null })));
});

// DEVFLOW_TEST_RECORD=1 writes a missing recording.
test.runIf(process.env.DEVFLOW_TEST_RECORD).each(Object.entries(RECORDERS))('records %s', async (name, recorder) => {
  if (isMissing(name)) await recordHistory(temporalPlace(), await play(recorder), name);
  expect(isMissing(name)).toBe(false);
});
