import type { ApprovalSummary } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import type { Binding } from '../../model/binding.ts';
import { type Model, step } from '../../model/model.ts';
import { screenState } from '../../model/place.ts';
import { answerOf, type Query } from '../../model/query.ts';
import { toast } from '../../model/toast.ts';
import { ANSWER_IN_PANE, approveTogether, whyNoneApproved, whyNotTogether } from '../decisions/approveTogether.ts';
import { approvalQuery } from './approvalQueries.ts';
import { type ApprovalsItem, waitingItems } from './approvalsItems.ts';

/** Ids of marked gates. A gate that was decided meanwhile no longer counts. */
const state = screenState<{ readonly ids: readonly string[] }>('approvals.marks', { ids: [] });

type Gate = Extract<ApprovalsItem, { kind: 'gate' }>;

/** The marked gates that still wait, in the order of the list. */
function markedGates(model: Model): readonly Gate[] {
  const { ids } = state.get(model);
  if (ids.length === 0) return [];
  return waitingItems(model).filter(
    (item): item is Gate => item.kind === 'gate' && isMarkable(item) && ids.includes(item.gate.id),
  );
}

export function isMarked(model: Model, item: ApprovalsItem): boolean {
  return item.kind === 'gate' && isMarkable(item) && state.get(model).ids.includes(item.gate.id);
}

const isMarkable = (item: ApprovalsItem): boolean => whyNotMarked(item) === undefined;

/** Why a gate cannot be marked; undefined when it can. */
function whyNotMarked(item: ApprovalsItem): string | undefined {
  return item.kind === 'agent' ? ANSWER_IN_PANE : whyNotTogether(item.gate, item.run);
}

/** The confirmation shows the marked gates in full. */
export function markedQueries(model: Model): readonly Query[] {
  return markedGates(model).map(({ gate }) => approvalQuery(gate.id));
}

/** Then `a` approves them, and otherwise the selected gate. */
export const hasMarks = (model: Model): boolean => markedGates(model).length > 0;

export function marksTitle(model: Model): string {
  const count = markedGates(model).length;
  return count === 0 ? '' : `, ${count} marked`;
}

/** `Space` marks a gate, `*` marks all filtered gates, `a` approves the marked ones after one question that lists them. */
export function markBindings(list: {
  selected(model: Model): ApprovalsItem | undefined;
  rows(model: Model): readonly ApprovalsItem[];
  next(model: Model): Model;
}): readonly Binding[] {
  return [
    {
      id: 'approvals.mark',
      keys: [' '],
      label: 'mark',
      footer: true,
      help: 'Mark or unmark the gate and select the next one; a approves the marked gates together',
      disabled(model) {
        const item = list.selected(model);
        return item ? whyNotMarked(item) : 'no gate is selected';
      },
      run(model) {
        const item = list.selected(model);
        if (item?.kind !== 'gate') return step(model);
        const { ids } = state.get(model);
        const { id } = item.gate;
        const now = ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id];
        return step(list.next(state.set(model, { ids: now })));
      },
    },
    {
      id: 'approvals.markAll',
      keys: ['*'],
      label: 'mark all',
      help: 'Mark every listed gate that can be approved, or unmark all',
      disabled: (model) => (list.rows(model).some(isMarkable) ? undefined : 'no listed gate can be marked'),
      run(model) {
        const shown = list.rows(model).filter((item): item is Gate => item.kind === 'gate' && isMarkable(item));
        if (shown.every((item) => isMarked(model, item))) return step(state.set(model, { ids: [] }));
        const left = list.rows(model).filter((item) => !isMarkable(item));
        const ids = [...new Set([...state.get(model).ids, ...shown.map(({ gate }) => gate.id)])];
        const marked = state.set(model, { ids });
        const [first] = left;
        if (!first) return step(marked);
        const say = `Marked ${counted(shown.length, 'gate')}, skipped ${left.length}: ${whyNotMarked(first)}.`;
        return step(toast(marked, 'warn', say));
      },
    },
    {
      id: 'approvals.approve',
      keys: ['a'],
      label: 'approve marked',
      help: 'Approve all marked gates after one question that lists them with their alarms; one with comments not sent stays',
      when: hasMarks,
      disabled: (model) => whyNoneApproved(model, gatesOf(model)),
      run: (model) => approveTogether(model, gatesOf(model), unmark, loadedGate),
    },
  ];
}

const gatesOf = (model: Model) => markedGates(model).map(({ gate }) => gate);

/** The list keeps its marked gates fresh. */
const loadedGate = ({ data }: Model, id: string) => answerOf(data, approvalQuery(id));

function unmark(model: Model, { id }: ApprovalSummary): Model {
  return state.set(model, { ids: state.get(model).ids.filter((each) => each !== id) });
}
