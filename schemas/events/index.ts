import type { z } from 'zod';
import type { PhaseKind } from '../enums.ts';
import { directEvents } from '../kinds/direct/events.ts';
import { backtestEvents } from '../kinds/evaluate/events.ts';
import { laneEvents } from '../kinds/lanes/events.ts';
import { reviewEvents } from '../kinds/review/events.ts';
import { approvalEvents } from './approval.ts';
import { artifactEvents } from './artifact.ts';
import { commandEvents } from './command.ts';
import { contractEvents } from './contract.ts';
import type { EventDefinition } from './define.ts';
import { iterationEvents } from './iteration.ts';
import { messageEvents } from './message.ts';
import { phaseEvents } from './phase.ts';
import { promptEvents } from './prompt.ts';
import { runEvents } from './run.ts';
import { sessionEvents } from './session.ts';
import { checkoutEvents, worktreeEvents } from './worktree.ts';

/** The events that only one kind of phase has. A missing kind does not compile. */
const EVENTS_OF_KIND = {
  agent: [],
  command: [],
  direct: directEvents,
  evaluate: backtestEvents,
  lanes: laneEvents,
  review: reviewEvents,
  step: [],
} as const satisfies { readonly [K in PhaseKind]: readonly EventDefinition[] };

export type KindEventType<K extends PhaseKind> = K extends keyof typeof EVENTS_OF_KIND
  ? (typeof EVENTS_OF_KIND)[K][number]['type']
  : never;

/** All events. The list is closed. */
export const EVENTS = [
  ...runEvents,
  ...phaseEvents,
  ...promptEvents,
  ...messageEvents,
  ...artifactEvents,
  ...contractEvents,
  ...approvalEvents,
  ...sessionEvents,
  ...commandEvents,
  ...worktreeEvents,
  ...EVENTS_OF_KIND.lanes,
  ...checkoutEvents,
  ...iterationEvents,
  ...EVENTS_OF_KIND.review,
  ...EVENTS_OF_KIND.evaluate,
  ...EVENTS_OF_KIND.direct,
] as const;

type Definition = (typeof EVENTS)[number];
export type RunEventType = Definition['type'];
export type EventPayload<T extends RunEventType> = z.infer<Extract<Definition, { type: T }>['payload']>;

/** An event that is not in the log yet. */
export type NewEvent = {
  [T in RunEventType]: { type: T; phaseId: string | null; payload: EventPayload<T> };
}[RunEventType];

/** An event in the log. `seq` counts from 1 in each run, without gaps. `ts` is ISO 8601 UTC. */
export type RunEvent = NewEvent & { runId: string; seq: number; idempotencyKey: string; ts: string };

const byType = new Map<string, EventDefinition>(EVENTS.map((definition) => [definition.type, definition]));

/** The deterministic key of an event in the log. */
export function eventKey(runId: string, event: NewEvent): string {
  const definition = byType.get(event.type);
  if (!definition) throw new TypeError(`no such event: ${event.type}`);
  return definition.key({ runId, phaseId: event.phaseId, payload: event.payload });
}

/** Parses the payload of an event from the database. Throws a ZodError for a wrong payload. */
export function parseEventPayload(type: string, payload: unknown): unknown {
  const definition = byType.get(type);
  if (!definition) throw new TypeError(`no such event: ${type}`);
  return definition.payload.parse(payload);
}
