import { commentDraft } from '../../../cli/client/commentText.ts';
import { ABORT_DETAIL, REJECT_DETAIL } from '../../../cli/client/consequences.ts';
import { aboveScissors } from '../../../cli/client/scissors.ts';
import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
import { stateOf } from '../../../schemas/states/state.ts';
import type { ApiError } from '../../model/apiError.ts';
import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import type { Model } from '../../model/model.ts';
import { goBack } from '../../model/navigate.ts';
import { type Step, step, toast, toastError } from '../../model/step.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { approvalOf } from './approvalQueries.ts';
import { approvalState } from './approvalState.ts';
import { commentContext } from './commentContext.ts';

/** After `]`, a key that was meant for the previous gate must not decide this one. */
const LOOK_FIRST_MS = 1_000;
const DOING = 'deciding';

/** Why the person cannot take this decision now; undefined when they can. */
function whyUndecidable(model: Model, action: ApprovalDecisionAction): string | undefined {
  const approval = approvalOf(model);
  if (!approval) return 'the gate is not loaded yet';
  const { state, actions } = approval;
  if (model.link.state === 'away') return 'the daemon is not running';
  if (model.busy.includes(DOING)) return 'another decision is in progress';
  if (state === 'paused') return 'the gate timed out; resume the run first';
  if (state !== 'pending') return `the gate is already decided: ${stateOf(GATE_STATES, state).word}`;
  if (actions.length === 0) return 'the run is paused; resume it first';
  if (approval.kind === 'agent' && !actions.includes(action)) return 'answer the agent in its pane (A attaches)';
  if (!actions.includes(action)) return `this gate takes only ${actions.join(' or ').replace('_', ' ')}`;
  return decidableAt(model) === undefined ? undefined : 'this gate has only just appeared; press again';
}

/** When a gate that has just appeared takes decisions; undefined when it takes them now. */
export function decidableAt(model: Model): number | undefined {
  const at = approvalState.get(model).cameAt + LOOK_FIRST_MS;
  return at > model.now ? at : undefined;
}

/**
 * The approval id stands for the gate, the attempt and the hash of the artifact. So the daemon refuses a decision about
 * anything else than what was shown.
 */
function decide(model: Model, shown: ApprovalDetail, action: ApprovalDecisionAction, comment?: string): Step {
  const then = (after: Model, result: RpcResult<'approval.decide'>): Step =>
    step(leaveGate(toast(after, 'good', decisionToast(shown, result)), shown));
  const failed = (after: Model, error: ApiError): Step =>
    error.code === 'decision_conflict'
      ? step(toast(after, 'bad', `Too late: ${error.message.replace(shown.id, shortId(shown.id))}`))
      : step(toastError(after, error));
  const params = { approvalId: shown.id, action, ...(comment ? { comment } : {}) };
  return step(model, { type: 'decide', params, doing: DOING, then, failed });
}

function decisionToast(gate: ApprovalDetail, { action, created }: RpcResult<'approval.decide'>): string {
  const name = gateName(gate);
  const again = created ? '' : ' already';
  const attempt = gate.attempt + 1;
  switch (action) {
    case 'approve': {
      const next = {
        gate: 'the run continues',
        recovery: `attempt ${attempt} starts`,
        cleanup: 'devflow removes the worktree',
        agent: 'the run continues',
      };
      return `Approved${again}: ${name}; ${next[gate.kind]}.`;
    }
    case 'request_changes':
      return `Changes requested${again}: ${name}; the work starts again.`;
    case 'reject':
      return `Rejected${again}: ${name}; ${gate.kind === 'cleanup' ? 'the worktree stays' : 'the run fails'}.`;
    case 'abort':
      return `Aborted${again}: run ${shortId(gate.runId)}; its agents stop.`;
    default:
      return action satisfies never;
  }
}

/**
 * Goes back, and not to the next gate: a second press of the same key would approve what nobody has read. Stays if the
 * person has left the gate meanwhile.
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

function confirm(action: 'reject' | 'abort', question: (gate: ApprovalDetail) => string, detail: string) {
  return (model: Model): Step => {
    const gate = approvalOf(model);
    if (!gate) return step(model);
    const then = (sure: Model): Step => decide(sure, gate, action);
    const label = action === 'abort' ? 'abort the run' : 'reject';
    return step({ ...model, overlay: { kind: 'confirm', question: question(gate), detail, yes: 'y', label, then } });
  };
}

/** Opens the editor, with what is under decision below the scissors. The text is kept until the daemon took it. */
function writeComment(
  model: Model,
  gate: ApprovalDetail,
  action: 'request_changes' | 'reject',
  send: (model: Model, text: string) => Step,
): Step {
  const then = (after: Model, edited: string): Step => {
    const text = aboveScissors(edited);
    const keep = (draft: string | undefined) => approvalState.set(after, { draft });
    if (text === undefined) {
      const say =
        'The line with >8 is missing, so devflow cannot find the end of your comment. Nothing was sent; your text is kept.';
      return step(toast(keep(edited), 'bad', say));
    }
    if (text === '') return step(toast(keep(undefined), 'warn', 'The comment is empty. Nothing was sent.'));
    return send(keep(text), text);
  };
  const asked = `${{ request_changes: 'Request changes', reject: 'Reject' }[action]}: ${gate.question}`;
  const draft = commentDraft(asked, commentContext(model, gate), approvalState.get(model).draft);
  return step(model, { type: 'edit', text: draft, suffix: '.md', then });
}

export const decisionBindings: readonly Binding[] = [
  {
    ...{ id: 'approval.approve', keys: ['a'], label: 'approve', footer: true },
    help: 'Approve exactly what is shown: this attempt and its hash',
    disabled: (model) => whyUndecidable(model, 'approve'),
    run(model) {
      const gate = approvalOf(model);
      return gate ? decide(model, gate, 'approve') : step(model);
    },
  },
  {
    ...{ id: 'approval.changes', keys: ['c'], label: 'changes', footer: true },
    help: 'Request changes: the agent gets your comment and does its work again',
    disabled: (model) => whyUndecidable(model, 'request_changes'),
    run(model) {
      const gate = approvalOf(model);
      if (!gate) return step(model);
      const then = (after: Model, text: string): Step => decide(after, gate, 'request_changes', text);
      const title = `What should change? ${gateName(gate)}`;
      return step({ ...model, overlay: { kind: 'input', title, field: field(), mayBeEmpty: false, then } });
    },
  },
  {
    ...{ id: 'approval.changesInEditor', keys: ['e'], label: 'changes in $EDITOR' },
    help: 'Write the comment in your editor and request changes; an empty comment sends nothing',
    disabled: (model) => whyUndecidable(model, 'request_changes'),
    run(model) {
      const gate = approvalOf(model);
      if (!gate) return step(model);
      return writeComment(model, gate, 'request_changes', (after, text) =>
        decide(after, gate, 'request_changes', text),
      );
    },
  },
  {
    ...{ id: 'approval.reject', keys: ['R'], label: 'reject', footer: true },
    help: 'Reject, after a second key: the run fails; at a cleanup gate the worktree stays',
    disabled: (model) => whyUndecidable(model, 'reject'),
    run: (model) =>
      approvalOf(model)?.kind === 'cleanup'
        ? confirm('reject', () => 'Keep the worktree?', 'devflow removes nothing.')(model)
        : confirm('reject', (gate) => `Reject ${gateName(gate)}?`, REJECT_DETAIL)(model),
  },
  {
    ...{ id: 'approval.rejectInEditor', keys: ['E'], label: 'reject in $EDITOR' },
    help: 'Write a comment in your editor and reject, after a second key; an empty comment rejects nothing',
    disabled: (model) => whyUndecidable(model, 'reject'),
    run(model) {
      const gate = approvalOf(model);
      if (!gate) return step(model);
      const [question, detail] =
        gate.kind === 'cleanup'
          ? ['Keep the worktree?', 'devflow removes nothing.']
          : [`Reject ${gateName(gate)}?`, REJECT_DETAIL];
      const sure = (after: Model, text: string): Step => {
        const then = (sent: Model): Step => decide(sent, gate, 'reject', text);
        return step({ ...after, overlay: { kind: 'confirm', question, detail, yes: 'y', label: 'reject', then } });
      };
      return writeComment(model, gate, 'reject', sure);
    },
  },
  {
    ...{ id: 'approval.abort', keys: ['X'], label: 'abort run' },
    help: 'Abort the whole run, after a second key',
    disabled: (model) => whyUndecidable(model, 'abort'),
    run: confirm('abort', (gate) => `Abort run ${shortId(gate.runId)}?`, ABORT_DETAIL),
  },
];
