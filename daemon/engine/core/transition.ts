import { DevflowError } from '../../../schemas/errors.ts';
import type { NewEvent, RunEvent } from '../../../schemas/events/index.ts';
import { deriveEvents } from './deriveEvents.ts';
import type { Outcome } from './effect.ts';
import { evolve, stamp } from './evolve/evolve.ts';
import { handleOutcome } from './handleOutcome.ts';
import { handleSignal, type Signal } from './handleSignal.ts';
import type { Decision, Run } from './run/state.ts';

/** The run after an input, with the events that brought it there; no events where the input changed nothing. */
export interface Transition {
  run: Run;
  events: RunEvent[];
}

/** A run cannot follow itself this far: two events that undo each other would be a defect of the core. */
const FOLLOW_LIMIT = 1_000;

/** Outcome of an effect in, events and next state out. `ts` is the ISO time at which it is recorded. */
export function onOutcome(run: Run, outcome: Outcome, ts: string): Transition {
  return applyEvents(run, handleOutcome(run, outcome), ts);
}

/** Takes a person's signal. Returns events and the next state, or a refusal, perhaps with a new gate. */
export function onSignal(
  run: Run,
  signal: Signal,
  ts: string,
): (Transition & { decision?: Decision }) | { refused: DevflowError; replacement?: Transition } {
  const given = handleSignal(run, signal);
  if ('refused' in given) {
    const { refused, events } = given;
    return events ? { refused, replacement: applyEvents(run, events, ts) } : { refused };
  }
  const next = applyEvents(run, given.events, ts);
  const decision =
    given.decision ??
    (signal.type === 'decide'
      ? next.run.approvals.find((approval) => approval.id === signal.approvalRequestId)?.decision
      : undefined);
  return decision ? { ...next, decision } : next;
}

/** Folds events in, then whatever follows from them, until nothing does. */
export function applyEvents(run: Run, first: NewEvent[], ts: string): Transition {
  const events: RunEvent[] = [];
  let at = run;
  let next = first;
  for (let turn = 0; next.length > 0; turn += 1) {
    if (turn > FOLLOW_LIMIT)
      throw new DevflowError('internal_state_corruption', `Run ${run.id} follows itself for ever.`);
    for (const event of next) {
      const stamped = stamp(run.id, at.lastSeq, event, ts);
      at = evolve(at, stamped);
      events.push(stamped);
    }
    next = deriveEvents(at);
  }
  return { run: at, events };
}
