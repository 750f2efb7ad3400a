import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evolve } from '../../daemon/core/evolve/evolve.ts';
import type { Run } from '../../daemon/core/run/state.ts';
import { createCommitter } from '../../daemon/db/committer.ts';
import type { Database } from '../../daemon/db/database.ts';
import type { RunEngine } from '../../daemon/engine/runEngine.ts';
import { createRunLog, type RunLog } from '../../daemon/store/runLog.ts';
import { parseEventPayload, type RunEvent } from '../../schemas/events/index.ts';

const HISTORIES = join(import.meta.dirname, '../fixtures/histories');

/** The events of a recorded run, in order. */
export function readHistory(name: 'happy' | 'stalled' | 'troubled'): RunEvent[] {
  const { events } = JSON.parse(readFileSync(join(HISTORIES, `development@1-${name}.json`), 'utf8'));
  return events as RunEvent[];
}

/** Commits a recorded run to the database event by event, as the engine does, up to the named event. */
export async function givenHistory(
  database: Database,
  events: readonly RunEvent[],
): Promise<{ run: Run; runLog: RunLog; engine: RunEngine }> {
  await seed(database, events);
  const committer = createCommitter(database.connection, { epoch: null });
  const runLog = createRunLog(database.pool, committer);
  let run: Run | undefined;
  try {
    for (const event of events) {
      const after = evolve(run, event);
      await runLog.append(run, after, [event]);
      run = after;
    }
  } finally {
    await committer.close();
  }
  if (!run) throw new Error('A history has at least one event.');
  const folded = run;
  const engine = {
    openRuns: () => [folded],
    server: () => undefined,
    readRun: (runId: string) => runLog.readRun(runId),
  } as unknown as RunEngine;
  return { run, runLog, engine };
}

/** The templates and personas that the events refer to. */
async function seed(database: Database, events: readonly RunEvent[]): Promise<void> {
  const insert = (table: string, [id, name, version, hash]: unknown[]) =>
    database.pool.query(
      `INSERT INTO ${table} (id, name, version, hash, definition) VALUES ($1, $2, $3, $4, '{}') ON CONFLICT DO NOTHING`,
      [id, name, version, hash],
    );
  for (const { type, payload } of events) {
    parseEventPayload(type, payload);
    if (type === 'run.created') {
      const { templateId, templateHash, template } = payload;
      await insert('workflow_templates', [templateId, template.name, template.version, templateHash]);
    }
    if (type !== 'run.started') continue;
    for (const { personaId, personaName, personaVersion, personaHash } of payload.bindings) {
      await insert('agent_personas', [personaId, personaName, personaVersion, personaHash]);
    }
  }
}
