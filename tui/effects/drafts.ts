import type { Client } from '../../cli/client/connect.ts';
import {
  beginSending,
  endSending,
  markRead,
  readReview,
  removeDraft,
  writeDraft,
} from '../../cli/client/drafts/draftFiles.ts';
import { sendOnce } from '../../cli/client/drafts/sendOnce.ts';
import { type Draft, type DraftAct, isOf, type ReviewedGate } from '../../schemas/comments/draft.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { type ApiError, toApiError } from '../model/apiError.ts';
import type { TuiEvent } from '../model/event.ts';
import { type SendReviewCommand, step } from '../model/model.ts';
import { toastError } from '../model/toast.ts';

export interface DraftContext {
  readonly client: Pick<Client, 'request'> | undefined;
  readonly stateDir: string;
  send(event: TuiEvent): void;
}

/** Changes files of a review. A full disk is said, and nothing is lost: the model keeps what the files have. */
export function changeDrafts({ gate, act }: { gate: ReviewedGate; act: DraftAct }, context: DraftContext): void {
  try {
    change(context.stateDir, gate, act);
  } catch (error) {
    const apiError = toApiError(error);
    context.send({ type: 'commandEnded', then: (model) => step(toastError(model, apiError)) });
  }
  showReview(gate, context);
}

function change(stateDir: string, gate: ReviewedGate, act: DraftAct): void {
  if (act.do === 'mark') markRead(stateDir, gate.runId, act.mark, act.isRead);
  else if (act.do === 'remove') removeDraft(stateDir, gate.runId, act.draft);
  else if (act.do === 'forget') endSending(stateDir, gate, act.sending, false);
  else {
    const { draft, comment } = act;
    const isHere = draft !== undefined && isOf(draft, gate);
    const at = draft?.at ?? timeAfter(readReview(stateDir, gate).drafts);
    writeDraft(stateDir, gate, { at, comment, ...(isHere ? { id: draft.id } : {}) });
    // First the new file: a crash between leaves two, and never none.
    if (draft && !isHere) removeDraft(stateDir, gate.runId, draft);
  }
}

/** Later than all others, so that comments written at once keep their order. */
function timeAfter(drafts: readonly Draft[]): string {
  const last = drafts.at(-1)?.at;
  const least = last === undefined ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(Date.now(), least)).toISOString();
}

function showReview(gate: ReviewedGate, { stateDir, send }: DraftContext): void {
  send({ type: 'review', approvalId: gate.approvalId, review: readReview(stateDir, gate) });
}

/** Sends drafts as one decision. They stay until the daemon has it. */
export async function sendReview(command: SendReviewCommand, context: DraftContext): Promise<void> {
  const { gate, drafts, doing, then, failed } = command;
  const { client, stateDir, send } = context;
  send({ type: 'commandStarted', doing });
  try {
    if (!client) throw new DevflowError('daemon_not_running', 'the connection to the daemon is lost');
    const sending = beginSending(stateDir, gate, {
      comments: drafts.map(({ comment }) => comment),
      drafts: drafts.map(({ id }) => id),
    });
    const result = await sendOnce({ client, stateDir }, gate, sending);
    send({ type: 'commandEnded', doing, then: (model) => then(model, result) });
  } catch (error) {
    const apiError: ApiError = toApiError(error);
    send({
      type: 'commandEnded',
      doing,
      then: (model) => failed?.(model, apiError) ?? step(toastError(model, apiError)),
    });
  }
  showReview(gate, context);
}
