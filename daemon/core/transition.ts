import { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent, RunEvent } from '../../schemas/events/index.ts';
import { deriveEvents } from './deriveEvents.ts';
import type { Outcome } from './effect/outcome.ts';
import { evolve, stamp } from './evolve/evolve.ts';
import { handleOutcome } from './handleOutcome.ts';
import { handleSignal, type Signal } from './handleSignal.ts';
import type { Decision, Run } from './run/state.ts';
import { settle } from './settle.ts';

/** The run after an input, and the events that led there. No events if the input changed nothing. */
export interface Transition {
  run: Run;
  events: RunEvent[];
}

/** More rounds than any run needs. Reaching it means that derived events undo each other: a defect of the core. */
const DERIVE_LIMIT = 1_000;

/** Handles the outcome of an effect. Returns events and the next state. `ts`: ISO time of the record. */
export function onOutcome(run: Run, outcome: Outcome, ts: string): Transition {
  return applyEvents(run, handleOutcome(run, outcome), ts);
}

/** Handles a person's signal. Returns events and the next state, or a refusal, perhaps with a replacement gate. */
export function onSignal(
  run: Run,
  signal: Signal,
  ts: string,
): (Transition & { decision?: Decision }) | { refused: DevflowError; replacement?: Transition } {
  const result = handleSignal(run, signal);
  if ('refused' in result) {
    const { refused, events } = result;
    return events ? { refused, replacement: applyEvents(run, events, ts) } : { refused };
  }
  const next = applyEvents(run, result.events, ts);
  const decision =
    result.decision ??
    (signal.type === 'decide'
      ? next.run.approvals.find((approval) => approval.id === signal.approvalRequestId)?.decision
      : undefined);
  return decision ? { ...next, decision } : next;
}

/** A clock may be corrected by so much without a trace in the log of a run of one host. */
const CORRECTION_MS = 60_000;

/**
 * The times in the log of several hosts never decrease. With one host they do if its clock was far ahead: else its time-outs
 * would come too late.
 */
function mayPrecede({ host, updatedAt }: Run, now: string): boolean {
  if (updatedAt <= now) return true;
  return host === null && Date.parse(updatedAt) - Date.parse(now) > CORRECTION_MS;
}

/** Folds the events into the run, then all events derived from them. */
function applyEvents(run: Run, first: NewEvent[], now: string): Transition {
  const ts = mayPrecede(run, now) ? now : run.updatedAt;
  const events: RunEvent[] = [];
  let at = run;
  let next = first;
  for (let round = 0; next.length > 0; round += 1) {
    if (round > DERIVE_LIMIT)
      throw new DevflowError('internal_state_corruption', `Run ${run.id} derives events without end.`);
    for (const event of next) {
      const stamped = stamp(run.id, at.lastSeq, event, ts);
      at = evolve(at, stamped);
      events.push(stamped);
    }
    next = deriveEvents(at);
  }
  return { run: events.length > 0 ? settle(at) : at, events };
}
