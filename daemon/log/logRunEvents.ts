import type { Logger } from 'pino';
import { defined } from '../../schemas/defined.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import { sessionOf } from '../core/run/query.ts';
import type { Run } from '../core/run/state.ts';
import type { EventBus } from '../events/bus.ts';
import { type EventLevel, levelOf } from './levelOf.ts';

/**
 * Logs one line for each committed event of a run. Its ids find the rest in the event log. It omits payloads, because
 * people and agents wrote them. Returns a function that stops it.
 */
export function logRunEvents(options: {
  bus: Pick<EventBus, 'listen'>;
  openRuns(): readonly Run[];
  log: Pick<Logger, EventLevel>;
}): () => void {
  const { bus, openRuns, log } = options;
  return bus.listen(null, ({ runId, events }) => {
    if (events.length === 0) return;
    const run = openRuns().find(({ id }) => id === runId);
    for (const event of events) log[levelOf(event)](factsOf(event, run), event.type);
  });
}

function factsOf({ runId, phaseId, seq, idempotencyKey: eventId, payload }: RunEvent, run: Run | undefined) {
  const sessionId = 'sessionId' in payload ? payload.sessionId : undefined;
  const session = sessionId === undefined ? undefined : run && sessionOf(run, sessionId);
  const role = 'roleId' in payload ? payload.roleId : session?.roleId;
  const phase = run?.phases.find(({ id }) => id === phaseId)?.key;
  return {
    runId,
    ...defined({ phaseId: phaseId ?? undefined, phase, role, sessionId }),
    seq,
    eventId,
  };
}
