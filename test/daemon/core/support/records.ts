import type { RunEventType } from '../../../../schemas/events/index.ts';
import type { Behaviour } from '../../../../schemas/events/run.ts';

/** The events of an input. Runs of behaviour 3 record fewer, because the state of the run follows from its gates. */
export type Records = RunEventType[] | ((behaviour: Behaviour) => RunEventType[]);

export function recordedBy(behaviour: Behaviour, records: Records): RunEventType[] {
  return Array.isArray(records) ? records : records(behaviour);
}

/** A decision at a gate, and what follows from it. */
export const leavesGate =
  (...then: RunEventType[]): Records =>
  (behaviour) =>
    behaviour >= 3 ? ['approval.resolved', ...then] : ['approval.resolved', 'run.resumed', ...then];

/** After these events an assignment needs a person. */
export const assignmentFails =
  (...first: RunEventType[]): Records =>
  (behaviour) =>
    behaviour >= 3 ? [...first, 'approval.requested'] : [...first, 'phase.failed', 'run.paused', 'approval.requested'];

/** After these events the phase itself needs a person. */
export const phaseFails =
  (...first: RunEventType[]): Records =>
  (behaviour) =>
    behaviour >= 3
      ? [...first, 'phase.failed', 'approval.requested']
      : [...first, 'phase.failed', 'run.paused', 'approval.requested'];
