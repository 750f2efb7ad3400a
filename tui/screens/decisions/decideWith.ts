import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { decidedSentence } from '../../../schemas/states/decidedSentence.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { type DecideCommand, type Model, type Place, step } from '../../model/model.ts';
import { goBack, goTo, isStillAt, screenState } from '../../model/place.ts';
import { toast, toastError } from '../../model/toast.ts';
import { shortId } from '../../text/runWords.ts';
import { nextGate } from './waitingGates.ts';

/** When a gate opens by itself, a key that was meant for the previous gate must not decide this one. */
const LOOK_FIRST_MS = 1_000;
const DOING = 'deciding';

export const JUST_APPEARED = 'this gate has only just appeared; press again';

/** Why a gate does not take a decision now; undefined when it does. */
export function whyNotTaken(
  model: Model,
  gate: Pick<ApprovalDetail, 'kind' | 'state' | 'actions'>,
  action: ApprovalDecisionAction,
): string | undefined {
  const { state, actions } = gate;
  if (model.link.state === 'away') return 'the daemon is not running';
  if (model.busy.includes(DOING)) return 'another decision is in progress';
  if (state === 'paused') return 'the gate timed out; resume the run first';
  if (state !== 'pending') return `the gate is already decided: ${stateOf(GATE_STATES, state).word}`;
  if (actions.length === 0) return 'the run is paused; resume it first';
  if (!blocksRun(gate) && !actions.includes(action)) return 'answer the agent in its pane (A attaches)';
  return actions.includes(action) ? undefined : `this gate takes only ${actions.join(' or ').replace('_', ' ')}`;
}

/**
 * The time from which a gate that appeared at `since` takes decisions; undefined when it takes them now. If `since` is in the
 * future, the clock was set back, and the gate takes decisions.
 */
export function decidableFrom({ now }: Model, since: number): number | undefined {
  const at = since + LOOK_FIRST_MS;
  return since <= now && at > now ? at : undefined;
}

/** When the shown gate opened by itself. */
const came = screenState<{ readonly at: number }>('gate came', { at: 0 });

/** A gate that opened by itself is looked at only from when it is read. */
export function seenFromNow(model: Model): Model {
  return came.get(model).at === 0 ? model : came.set(model, { at: model.now });
}

/** The time from which the shown gate takes decisions; undefined when it takes them now. */
export function shownGateDecidableFrom(model: Model): number | undefined {
  return decidableFrom(model, came.get(model).at);
}

/** What follows from the answer to a decision that is taken here. */
export function decideWith(
  { place }: Model,
  gate: ApprovalSummary,
): Required<Pick<DecideCommand, 'doing' | 'then' | 'failed'>> {
  return {
    doing: DOING,
    then: (after, result) => step(openNext(toast(after, 'good', decidedSentence(gate, result)), gate, place)),
    failed: (after, error) =>
      error.code === 'decision_conflict'
        ? step(toast(after, 'bad', `Too late: ${error.message.replace(gate.id, shortId(gate.id))}`))
        : step(toastError(after, error)),
  };
}

/**
 * Opens the next gate that waits; it takes decisions only after a look. Stays if the person has left the place of the decision
 * meanwhile, or has begun something else there.
 */
function openNext(model: Model, { id }: ApprovalSummary, place: Place): Model {
  if (!isStillAt(model, place)) return model;
  const next = nextGate(model, id);
  if (place.screen !== 'approval') return next ? openGate(model, next.id) : model;
  if (next) return showGate(model, next.id);
  return model.history.length > 0 ? goBack(model) : { ...model, place: { screen: 'approvals' } };
}

/** Shows a gate that the person did not choose. Going back leads here. */
function openGate(model: Model, approvalId: string): Model {
  return came.set(goTo(model, { screen: 'approval', id: approvalId }), { at: model.now });
}

/** Replaces the shown gate, so that going back leads to where the person came from. */
export function showGate(model: Model, approvalId: string): Model {
  const there = { ...model, place: { screen: 'approval', id: approvalId } as const };
  return came.set(there, { at: model.now });
}
