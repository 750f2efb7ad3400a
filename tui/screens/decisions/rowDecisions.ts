import type { ApprovalDecisionAction } from '../../../schemas/enums.ts';
import { decidable } from '../../../schemas/gates/decidable.ts';
import { takesMessage } from '../../../schemas/gates/gateKinds.ts';
import { isCommentOptional } from '../../../schemas/gates/ownGates.ts';
import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import type { RunSummary } from '../../../schemas/rpc/views/run.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { askForText } from './askForText.ts';
import { askToDecide } from './askToDecide.ts';
import { whyNotTaken } from './decideWith.ts';

/** What the keys of decisions need of the selected row. */
export interface DecisionRow {
  /** The gates of the row, the first to decide first. */
  readonly gates: readonly ApprovalSummary[];
  readonly run: RunSummary | undefined;
  /** Why there is nothing to decide, if there is no gate. */
  readonly none: string;
}

/** Keys that decide on the selected row of a list, without opening its gate. */
export function rowDecisions(
  screen: string,
  rowOf: (model: Model) => DecisionRow,
  /** While it is false, other bindings have the key `a`. */
  approvesRow: (model: Model) => boolean,
  /** The same for `m`. Absent: never. */
  messagesRow: (model: Model) => boolean = () => true,
): readonly Binding[] {
  const onGate = (
    action: ApprovalDecisionAction,
    act: (model: Model, gate: ApprovalSummary) => Step,
  ): Pick<Binding, 'disabled' | 'run'> => ({
    disabled(model) {
      const { gates, run, none } = rowOf(model);
      const [gate] = gates;
      if (!gate) return none;
      const actions = decidable(gate, run?.state ?? 'awaiting_approval');
      return whyNotTaken(model, { ...gate, actions }, action);
    },
    run(model) {
      const [gate] = rowOf(model).gates;
      return gate ? act(model, gate) : step(model);
    },
  });
  return [
    {
      id: `${screen}.approveRow`,
      keys: ['a'],
      label: 'approve',
      footer: true,
      help: 'Approve the gate of the selected row, after one question with what makes you look twice',
      when: approvesRow,
      ...onGate('approve', (model, gate) => askToDecide(model, gate, 'approve')),
    },
    {
      id: `${screen}.requestChanges`,
      keys: ['c'],
      label: 'changes',
      footer: true,
      help: 'Request changes at the gate of the selected row: the agent gets your comment and does its work again',
      ...onGate('request_changes', (model, gate) =>
        askForText(model, {
          gate,
          title: `What should change? ${gateName(gate)} of run ${shortId(gate.runId)}`,
          mayBeEmpty: isCommentOptional(gate),
        }),
      ),
    },
    {
      id: `${screen}.reject`,
      keys: ['R'],
      label: 'reject',
      help: 'Reject at the gate of the selected row, after a second key',
      ...onGate('reject', (model, gate) => askToDecide(model, gate, 'reject')),
    },
    {
      id: `${screen}.message`,
      keys: ['m'],
      label: 'message',
      help: 'Answer an agent whose turn has ended, as a message in its conversation',
      when: messagesRow,
      disabled(model) {
        const row = rowOf(model);
        const gate = row.gates.find(takesMessage);
        if (gate) return whyNotTaken(model, { ...gate, actions: decidable(gate, 'executing') }, 'request_changes');
        return row.gates.length === 0 ? row.none : 'no agent waits for a text here (c requests changes)';
      },
      run(model) {
        const gate = rowOf(model).gates.find(takesMessage);
        if (!gate) return step(model);
        return askForText(model, {
          gate,
          title: `Message to the agent of run ${shortId(gate.runId)}`,
          description: gate.words,
          mayBeEmpty: false,
        });
      },
    },
  ];
}
