import type { Client } from '../../cli/client/connect.ts';
import {
  beginSending,
  endSending,
  markRead,
  readReview,
  readSending,
  removeDraft,
  writeDraft,
} from '../../cli/client/drafts/draftFiles.ts';
import { sendOnce } from '../../cli/client/drafts/sendOnce.ts';
import {
  type Draft,
  type DraftAct,
  isOf,
  isSameComment,
  type ReviewedGate,
  type Sending,
} from '../../schemas/comments/draft.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { counted } from '../../schemas/text/phrases.ts';
import { type ApiError, toApiError } from '../model/apiError.ts';
import type { TuiEvent } from '../model/event.ts';
import { type DraftsCommand, type Model, type SendReviewCommand, type Step, step } from '../model/model.ts';
import { toast, toastError } from '../model/toast.ts';

export interface DraftContext {
  readonly client: Pick<Client, 'request'> | undefined;
  readonly stateDir: string;
  send(event: TuiEvent): void;
}

/** Changes files of a review. A full disk is said, and the model keeps what the files have. */
export function changeDrafts({ gate, acts, then, failed }: Omit<DraftsCommand, 'type'>, context: DraftContext): void {
  const ended = (next: (model: Model) => Step) => context.send({ type: 'commandEnded', then: next });
  try {
    const left = acts.filter((act) => change(context.stateDir, gate, act) === 'other').length;
    showReview(gate, context);
    const told = (model: Model) => (left === 0 ? model : toast(model, 'warn', otherWords(left)));
    if (then || left > 0) ended((model) => then?.(told(model)) ?? step(told(model)));
  } catch (error) {
    const apiError = toApiError(error);
    showReview(gate, context);
    ended((model) => failed?.(model, apiError) ?? step(toastError(model, apiError)));
  }
}

const otherWords = (count: number) =>
  `Another dashboard changed, sent or deleted ${counted(count, 'comment')} meanwhile. Its changes were kept.`;

/** Returns `other` if another client has changed or removed the draft since the person saw it. Then no text of either is lost. */
function change(stateDir: string, gate: ReviewedGate, act: DraftAct): 'done' | 'other' {
  if (act.do === 'mark') markRead(stateDir, gate.runId, act.mark, act.isRead);
  else if (act.do === 'forget') endSending(stateDir, gate, act.sending, false);
  else if (act.do === 'write') return write(stateDir, gate, act);
  else {
    const now = readReview(stateDir, gate).drafts.find(({ id }) => id === act.draft.id);
    if (now && !isSameComment(now.comment, act.draft.comment)) return 'other';
    removeDraft(stateDir, gate.runId, act.draft);
  }
  return 'done';
}

/** Writes only what is missing, so that a try after a full disk leaves no comment twice. */
function write(
  stateDir: string,
  gate: ReviewedGate,
  { draft, comment }: Extract<DraftAct, { do: 'write' }>,
): 'done' | 'other' {
  const { drafts, inFlight } = readReview(stateDir, gate);
  const isSent = ({ id }: Draft) => inFlight.includes(id);
  const here = drafts.find((each) => isOf(each, gate) && !isSent(each) && isSameComment(each.comment, comment));
  const now = draft && drafts.find(({ id }) => id === draft.id);
  const isOther = draft !== undefined && !(now && isSameComment(now.comment, draft.comment));
  if (here) {
    if (draft && !isOther && here.id !== draft.id) removeDraft(stateDir, gate.runId, draft);
    return 'done';
  }
  // Nobody typed a text, and another client has taken or sent it.
  if (draft && !now && isSameText(draft.comment, comment)) return 'other';
  // A try may have sent the old text, so the new one is another draft.
  const isSameDraft = draft !== undefined && !isOther && isOf(draft, gate) && !isSent(draft);
  const at = draft?.at ?? timeAfter(drafts);
  writeDraft(stateDir, gate, { at, comment, ...(isSameDraft ? { id: draft.id } : {}) });
  // First the new file: a crash between leaves two, and never none.
  if (draft && !isOther && !isSameDraft) removeDraft(stateDir, gate.runId, draft);
  return isOther ? 'other' : 'done';
}

const isSameText = (one: Draft['comment'], other: Draft['comment']) =>
  one.kind === other.kind && one.text === other.text;

/** Later than all others, so that comments written at once keep their order. */
function timeAfter(drafts: readonly Draft[]): string {
  const last = drafts.at(-1)?.at;
  const least = last === undefined ? 0 : Date.parse(last) + 1;
  return new Date(Math.max(Date.now(), least)).toISOString();
}

function showReview(gate: ReviewedGate, { stateDir, send }: DraftContext): void {
  send({ type: 'review', approvalId: gate.approvalId, review: readReview(stateDir, gate) });
}

/** Sends exactly the listed comments as one decision. They stay until the daemon has it. */
export async function sendReview(command: SendReviewCommand, context: DraftContext): Promise<void> {
  const { gate, listed, doing, then, failed, other } = command;
  const { client, stateDir, send } = context;
  send({ type: 'commandStarted', doing });
  try {
    if (!client) throw new DevflowError('daemon_not_running', 'the connection to the daemon is lost');
    const sending = begun(stateDir, gate, listed);
    if (sending) {
      const result = await sendOnce({ client, stateDir }, gate, sending);
      send({ type: 'commandEnded', doing, then: (model) => then(model, result) });
    } else {
      // The next question needs what the files have now.
      showReview(gate, context);
      send({ type: 'commandEnded', doing, then: other });
      return;
    }
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

/** The try with these comments; undefined if another client has begun one with others, or has ended this one. */
function begun(stateDir: string, gate: ReviewedGate, listed: SendReviewCommand['listed']): Sending | undefined {
  if ('clientToken' in listed) {
    return readSending(stateDir, gate)?.clientToken === listed.clientToken ? listed : undefined;
  }
  const comments = listed.map(({ comment }) => comment);
  const sending = beginSending(stateDir, gate, { comments, drafts: listed.map(({ id }) => id) });
  // The list itself comes back only if the try is this one.
  return sending.comments === comments ? sending : undefined;
}
