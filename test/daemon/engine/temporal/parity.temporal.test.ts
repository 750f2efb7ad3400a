import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Database } from '../../../../daemon/db/database.ts';
import { findDifferences } from '../../../../daemon/store/verify.ts';
import { type EventPayload, parseEventPayload, type RunEvent } from '../../../../schemas/events/index.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { useDatabase } from '../../../helpers/postgres.ts';
import { endWorkflows } from '../../../helpers/temporalWorkflows.ts';
import { newRun, type Shape } from '../../core/support/run.ts';
import { TEMPLATES, type TemplateName } from '../../core/support/templates.ts';
import { createStage, playRun } from './support/playedRun.ts';
import { seedRun } from './support/seedRun.ts';
import { openStubEngine } from './support/stubEngine.ts';
import { temporalPlace } from './support/temporalPlace.ts';

const HISTORIES = join(import.meta.dirname, '../../../fixtures/histories');

const onLocal = useDatabase();
const onTemporal = useDatabase();

interface Played {
  events: RunEvent[];
  differences: unknown[];
}

/** Plays all runs side by side on one engine. */
async function play(database: Database, shapes: readonly Shape[], isTemporal: boolean, isTroubled: boolean) {
  const stage = createStage();
  const place = { connection: database.connection, ...(isTemporal ? { temporal: temporalPlace() } : {}) };
  const { engine, runLog, close } = await openStubEngine(place, stage.performOn);
  try {
    await engine.reconcile();
    const played = shapes.map(async (shape, nth): Promise<Played> => {
      const run = await seedRun(database.pool, runLog, newRun(shape), nth + 1);
      const bound = engine.adopt(run);
      await playRun(engine, stage, run.id, isTroubled);
      await bound;
      const events = await runLog.readEvents(run.id, 0, 10_000);
      const after = (await runLog.readRun(run.id)) ?? run;
      return { events, differences: await findDifferences(database.pool, after) };
    });
    return await Promise.all(played);
  } finally {
    await close();
    if (isTemporal) await endWorkflows(temporalPlace(), database.pool);
  }
}

const withoutTimes = (played: readonly Played[]) =>
  played.map(({ events, differences }) => ({ events: events.map(({ ts: _, ...event }) => event), differences }));

async function proveEqual(shapes: readonly Shape[], isTroubled: boolean): Promise<void> {
  const [local, temporal] = await Promise.all([
    play(onLocal(), shapes, false, isTroubled),
    play(onTemporal(), shapes, true, isTroubled),
  ]);
  expect(withoutTimes(temporal)).toEqual(withoutTimes(local));
  expect(temporal.map(({ differences }) => differences)).toEqual(shapes.map(() => []));
  console.log(`${temporal.flatMap(({ events }) => events).length} events of ${shapes.length} runs are equal`);
}

/** The run that a recorded history is about, with an id of its own. */
function shapeOf(name: string): Shape {
  const [first] = JSON.parse(readFileSync(join(HISTORIES, name), 'utf8')).events;
  const { behaviour, template, objective, extra } = parseEventPayload(
    first.type,
    first.payload,
  ) as EventPayload<'run.created'>;
  return { runId: derivedId('parity', name), behaviour, template, objective, extra: extra ?? undefined };
}

test.each([false, true])(
  'writes the log of every recorded scenario as the local engine does; trouble: %s',
  async (trouble) => {
    await proveEqual(readdirSync(HISTORIES).map(shapeOf), trouble);
  },
);

test.each([false, true])(
  'writes the log of every kind of template as the local engine does; trouble: %s',
  async (trouble) => {
    const names = Object.keys(TEMPLATES) as TemplateName[];
    await proveEqual(
      names.map((template) => ({ runId: derivedId('parity', template), template })),
      trouble,
    );
  },
);
