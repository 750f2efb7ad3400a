import type pg from 'pg';
import { evolve } from '../../../../../daemon/core/evolve/evolve.ts';
import type { Run } from '../../../../../daemon/core/run/state.ts';
import type { RunLog } from '../../../../../daemon/store/runLog.ts';
import type { RunEvent } from '../../../../../schemas/events/index.ts';
import { bindingsFor } from '../../../core/support/run.ts';

/** Writes the first event of a run that takes this slot of its repository, and the definitions that its rows refer to. */
export async function seedRun(
  pool: Pick<pg.Pool, 'query'>,
  runLog: RunLog,
  { events: [created] }: { events: readonly RunEvent[] },
  slot: number,
): Promise<Run> {
  if (created?.type !== 'run.created') throw new TypeError('a log begins with run.created');
  const first = { ...created, payload: { ...created.payload, slot } };
  const { templateId, templateHash, template } = first.payload;
  await insert(pool, 'workflow_templates', [templateId, template.name, template.version, templateHash]);
  for (const { personaId, personaName, personaVersion, personaHash } of bindingsFor(template))
    await insert(pool, 'agent_personas', [personaId, personaName, personaVersion, personaHash]);
  const run = evolve(undefined, first);
  await runLog.append(undefined, run, [first]);
  return run;
}

function insert(pool: Pick<pg.Pool, 'query'>, table: string, values: unknown[]) {
  return pool.query(
    `INSERT INTO ${table} (id, name, version, hash, definition) VALUES ($1, $2, $3, $4, '{}') ON CONFLICT DO NOTHING`,
    values,
  );
}
