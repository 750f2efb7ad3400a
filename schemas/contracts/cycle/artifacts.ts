import { DevflowError } from '../../errors.ts';
import { isMap } from '../document/fields.ts';
import type { Finding } from '../report/report.ts';
import type { CycleEvent } from './evolve/cycleEvent.ts';
import { evolve, evolveNew } from './evolve/evolve.ts';
import { readEvent } from './evolve/readEvent.ts';
import type { AgentName, CycleState } from './state/cycleState.ts';
import { newCycle } from './state/newCycle.ts';
import { parseObject } from './state/readState.ts';

/** The artifact that each agent of a cycle delivers: devflow makes an event of the cycle of it. */
export const CYCLE_ARTIFACTS = {
  'cycle/requirements@1': { agent: 'ra', event: 'requirements.updated' },
  'cycle/plan@1': { agent: 'ep', event: 'plan.updated' },
  'cycle/changes@1': { agent: 'cd', event: 'changes.appended' },
  'cycle/test-results@1': { agent: 'vas', event: 'tests.recorded' },
} as const satisfies Record<string, { agent: AgentName; event: CycleEvent['type'] }>;

export type CycleArtifact = keyof typeof CYCLE_ARTIFACTS;

export function isCycleArtifact(schema: string): schema is CycleArtifact {
  return Object.hasOwn(CYCLE_ARTIFACTS, schema);
}

/** The events that an artifact stands for. Throws if it is none, as the cycle itself would. */
export function eventsOf(schema: CycleArtifact, data: Readonly<Record<string, unknown>>): CycleEvent[] {
  const { agent, event: type } = CYCLE_ARTIFACTS[schema];
  const { exploration, ...rest } = data;
  // The agent's words about its changes are only for people: git knows the changes.
  if (schema === 'cycle/changes@1' && Array.isArray(rest.changes) && rest.changes.length === 0) return [];
  const explored = schema === 'cycle/plan@1' && exploration !== undefined;
  if (exploration !== undefined && !explored) throw new DevflowError('usage', `${schema} has no field exploration.`);
  if (explored && !isMap(exploration)) throw new DevflowError('usage', 'exploration is no object.');
  const first = explored ? [readEvent({ type: 'exploration.updated', agent, ...(exploration as object) })] : [];
  return [...first, readEvent({ ...rest, type, agent })];
}

/** The content of a cycle's artifact, or its errors. */
type ReadArtifact = { ok: true; data: Record<string, unknown> } | { ok: false; errors: Partial<Finding>[] };

/** Reads an artifact, and tries what it stands for on a cycle that has just begun. */
export function readCycleArtifact(schema: CycleArtifact, text: string): ReadArtifact {
  const read = parseObject(text);
  if ('fault' in read) return { ok: false, errors: [{ message: read.fault }] };
  try {
    eventsOf(schema, read.object).reduce((state, event) => evolveNew(state, event, 0), BEGUN);
    return { ok: true, data: read.object };
  } catch (error) {
    if (!(error instanceof DevflowError)) throw error;
    const { errors } = error.data as { errors?: Finding[] };
    const message = error.message.replace(`${CYCLE_ARTIFACTS[schema].event}: `, '');
    return { ok: false, errors: errors ?? [{ message }] };
  }
}

const BEGUN: CycleState = evolve(
  newCycle({ id: 'cycle-v1-20260101T000000-aaaaaa', task: 'Check an artifact.' }, 0),
  { type: 'iteration.started' },
  0,
);
