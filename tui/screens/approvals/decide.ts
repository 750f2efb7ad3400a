import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { decidedSentence } from '../../../schemas/states/decidedSentence.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import { type DecideCommand, type Model, type Step, step } from '../../model/model.ts';
import { goBack } from '../../model/place.ts';
import { toast, toastError } from '../../model/toast.ts';
import { shortId } from '../../text/runWords.ts';
import { approvalOf } from './approvalQueries.ts';
import { approvalState } from './approvalState.ts';

/** After `]`, a key that was meant for the previous gate must not decide this one. */
const LOOK_FIRST_MS = 1_000;
const DOING = 'deciding';

/** Why the person cannot take this decision now; undefined when they can. */
export function whyUndecidable(model: Model, action: ApprovalDecisionAction): string | undefined {
  const approval = approvalOf(model);
  if (!approval) return 'the gate is not loaded yet';
  const { state, actions } = approval;
  if (model.link.state === 'away') return 'the daemon is not running';
  if (model.busy.includes(DOING)) return 'another decision is in progress';
  if (state === 'paused') return 'the gate timed out; resume the run first';
  if (state !== 'pending') return `the gate is already decided: ${stateOf(GATE_STATES, state).word}`;
  if (actions.length === 0) return 'the run is paused; resume it first';
  if (!blocksRun(approval) && !actions.includes(action)) return 'answer the agent in its pane (A attaches)';
  if (!actions.includes(action)) return `this gate takes only ${actions.join(' or ').replace('_', ' ')}`;
  return decidableAt(model) === undefined ? undefined : 'this gate has only just appeared; press again';
}

/**
 * The time from which a gate that has just appeared takes decisions; undefined when it takes them now. If `cameAt` is in the
 * future, the clock was set back, and the gate takes decisions.
 */
export function decidableAt(model: Model): number | undefined {
  const { cameAt } = approvalState.get(model);
  const at = cameAt + LOOK_FIRST_MS;
  return cameAt <= model.now && at > model.now ? at : undefined;
}

/**
 * The approval id stands for the gate, the attempt and the hash of the artifact. So the daemon refuses a decision about
 * anything else than what was shown.
 */
export function decide(model: Model, shown: ApprovalDetail, action: ApprovalDecisionAction, comment?: string): Step {
  const params = { approvalId: shown.id, action, ...(comment ? { comment } : {}) };
  return step(model, { type: 'decide', params, ...decideWith(shown) });
}

/** What follows from the answer to a decision. */
export function decideWith(shown: ApprovalDetail): Required<Pick<DecideCommand, 'doing' | 'then' | 'failed'>> {
  return {
    doing: DOING,
    then: (after, result) => step(leaveGate(toast(after, 'good', decidedSentence(shown, result)), shown)),
    failed: (after, error) =>
      error.code === 'decision_conflict'
        ? step(toast(after, 'bad', `Too late: ${error.message.replace(shown.id, shortId(shown.id))}`))
        : step(toastError(after, error)),
  };
}

/**
 * Goes back instead of to the next gate: a second press of the same key would approve it unread. Stays if the person
 * has left the gate meanwhile.
 */
function leaveGate(model: Model, { id }: ApprovalDetail): Model {
  if (model.place.screen !== 'approval' || model.place.id !== id) return model;
  return model.history.length > 0 ? goBack(model) : { ...model, place: { screen: 'approvals' } };
}

/** Replaces the shown gate, so that going back leads to where the person came from. */
export function showGate(model: Model, approvalId: string): Model {
  const there = { ...model, place: { screen: 'approval', id: approvalId } as const };
  return approvalState.set(there, { cameAt: model.now });
}
