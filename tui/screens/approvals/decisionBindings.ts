import { defined } from '../../../schemas/defined.ts';
import { isCommentOptional } from '../../../schemas/gates/ownGates.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { ABORT_DETAIL } from '../../../schemas/states/gate.ts';
import type { Binding } from '../../model/binding.ts';
import { field } from '../../model/field.ts';
import { type Model, type Step, step } from '../../model/model.ts';
import { gateName, shortId } from '../../text/runWords.ts';
import { overUnsent, rejectQuestion } from '../decisions/askToDecide.ts';
import { keepTyped, typedText } from '../decisions/typedText.ts';
import { approvalOf } from './approvalQueries.ts';
import { commentsAtCursor } from './commentBindings.ts';
import { earlierDrafts, unsentWords } from './comments/shownDrafts.ts';
import { decide, whyUndecidable } from './decide.ts';
import { writeComment } from './decisionComment.ts';

export const decisionBindings: readonly Binding[] = [
  {
    id: 'approval.approve',
    keys: ['a'],
    label: 'approve',
    help: 'Approve exactly what is shown: this attempt and its hash',
    footer: true,
    disabled: (model) => whyUndecidable(model, 'approve'),
    run: onGate(approve),
  },
  {
    id: 'approval.changes',
    keys: ['c'],
    label: 'changes',
    help: 'Request changes: the agent gets your comment and does its work again',
    footer: true,
    when: (model) => !commentsAtCursor(model),
    disabled: (model) => whyUndecidable(model, 'request_changes'),
    run: onGate((model, gate) => {
      // The daemon may refuse it, and then it opens again.
      const then = (after: Model, text: string): Step =>
        decide(keepTyped(after, gate.id, text), gate, 'request_changes', text);
      const title = `What should change? ${gateName(gate)}`;
      return step({
        ...model,
        overlay: {
          ...({ kind: 'input', title, field: field(typedText(model, gate.id)), manyLines: true } as const),
          mayBeEmpty: isCommentOptional(gate),
          ...defined({ description: leftOut(model, gate) }),
          editor: (closed, text) => writeComment(keepTyped(closed, gate.id, text), gate, 'request_changes', then),
          then,
        },
      });
    }),
  },
  {
    id: 'approval.changesInEditor',
    keys: [],
    label: 'changes in $EDITOR',
    help: 'Write the comment in your editor and request changes; an empty comment sends nothing',
    disabled: (model) => whyUndecidable(model, 'request_changes'),
    run: onGate((model, gate) =>
      writeComment(model, gate, 'request_changes', (after, text) => decide(after, gate, 'request_changes', text)),
    ),
  },
  {
    id: 'approval.reject',
    keys: ['R'],
    label: 'reject',
    help: 'Reject, after a second key: the run fails; a lane ends alone; at a cleanup gate the worktree stays',
    footer: true,
    disabled: (model) => whyUndecidable(model, 'reject'),
    run: onGate((model, gate) => confirm(model, gate, 'reject')),
  },
  {
    id: 'approval.rejectInEditor',
    keys: [],
    label: 'reject in $EDITOR',
    help: 'Write a comment in your editor and reject, after a second key; an empty comment rejects nothing',
    disabled: (model) => whyUndecidable(model, 'reject'),
    run: onGate((model, gate) =>
      writeComment(model, gate, 'reject', (after, text) => confirm(after, gate, 'reject', text)),
    ),
  },
  {
    id: 'approval.abort',
    keys: ['X'],
    label: 'abort run',
    help: 'Abort the whole run, after a second key',
    disabled: (model) => whyUndecidable(model, 'abort'),
    run: onGate((model, gate) => confirm(model, gate, 'abort')),
  },
];

function approve(model: Model, gate: ApprovalDetail): Step {
  const detail = leftOut(model, gate);
  const then = (sure: Model): Step => decide(sure, gate, 'approve');
  return detail === undefined ? then(model) : step({ ...model, overlay: overUnsent(gate, detail, then) });
}

function leftOut(model: Model, gate: ApprovalDetail): string | undefined {
  const unsent = unsentWords(model, gate);
  if (unsent === undefined) return undefined;
  return `${unsent.words} ${earlierDrafts(model, gate).length === 0 ? 'S sends them.' : 't takes those over, S sends them.'}`;
}

function onGate(act: (model: Model, gate: ApprovalDetail) => Step): Binding['run'] {
  return (model) => {
    const gate = approvalOf(model);
    return gate ? act(model, gate) : step(model);
  };
}

/** Asks for `y` before the decision. */
function confirm(model: Model, gate: ApprovalDetail, action: 'reject' | 'abort', comment?: string): Step {
  const [question, detail] = action === 'abort' ? abortQuestion(gate) : rejectQuestion(gate);
  const then = (sure: Model): Step => decide(sure, gate, action, comment);
  const label = action === 'abort' ? 'abort the run' : 'reject';
  return step({ ...model, overlay: { kind: 'confirm', question, detail, yes: 'y', label, then } });
}

const abortQuestion = ({ runId }: ApprovalDetail) => [`Abort run ${shortId(runId)}?`, ABORT_DETAIL] as const;
