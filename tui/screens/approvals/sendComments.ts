import { isPartOf, type Review, type Sending } from '../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { type Model, type SendReviewCommand, type Step, step } from '../../model/model.ts';
import { isStillAt } from '../../model/place.ts';
import { toast } from '../../model/toast.ts';
import { type Line, line, span } from '../../text/line.ts';
import { theme } from '../../text/theme.ts';
import { decideWith } from '../decisions/decideWith.ts';
import { approvalOf } from './approvalQueries.ts';
import { placeWords } from './comments/placeWords.ts';
import { draftsOf, reviewedGate } from './comments/takesComments.ts';
import { acting, writtenText } from './writeComment.ts';

const reviewOf = (model: Model, { id }: ApprovalDetail): Review | undefined => model.reviews.get(id);

/** Why there is nothing to send; undefined if there is. */
export function whyNothingToSend(model: Model): string | undefined {
  const gate = approvalOf(model);
  const isThere = gate && (draftsOf(model, gate).length > 0 || reviewOf(model, gate)?.sending);
  return isThere ? undefined : 'there is no comment to send';
}

/** Asks before it sends: the person sees every comment, also one that another program put there. */
export function sendComments(model: Model, gate: ApprovalDetail): Step {
  const drafts = draftsOf(model, gate);
  const sending = reviewOf(model, gate)?.sending;
  if (sending) return sendAgain(model, gate, sending);
  const then = (sure: Model): Step => send(sure, gate, drafts);
  const question = `Request changes with ${counted(drafts.length, 'comment')}?`;
  const list = listOf(drafts);
  return step({ ...model, overlay: { kind: 'confirm', title: 'Send', question, list, yes: 'y', label: 'send', then } });
}

/** Sends what was listed. If that is something else by now, the person sees the new list first. */
function send(model: Model, gate: ApprovalDetail, listed: SendReviewCommand['listed']): Step {
  const { then, failed, doing } = decideWith(model, gate);
  const { place } = model;
  const other = (after: Model): Step => {
    const told = toast(
      after,
      'warn',
      'Nothing was sent: another dashboard has sent comments of this gate, or begun to.',
    );
    return isStillAt(told, place) && whyNothingToSend(told) === undefined ? sendComments(told, gate) : step(told);
  };
  return step(model, { type: 'sendReview', gate: reviewedGate(gate), listed, doing, then, failed, other });
}

/** A try was not answered. The daemon takes its token once, so a second try is the same decision. */
function sendAgain(model: Model, gate: ApprovalDetail, sending: Sending): Step {
  const newer = draftsOf(model, gate).filter((each) => !isPartOf(each, sending)).length;
  const then = (sure: Model): Step => send(sure, gate, sending);
  const detail = [
    'An earlier try got no answer. Sending it again records it only once.',
    ...(newer === 0
      ? []
      : [`${counted(newer, 'newer or changed comment')} ${newer === 1 ? 'is' : 'are'} not part of it.`]),
  ].join(' ');
  return step({
    ...model,
    overlay: {
      ...({ kind: 'confirm', title: 'Send again', yes: 'y', label: 'send again', then, detail } as const),
      question: `Request changes with ${counted(sending.comments.length, 'comment')}?`,
      list: listOf(sending.comments.map((comment) => ({ comment }))),
      others: [
        {
          key: 'x',
          label: 'forget the try, keep the comments',
          then: (after) => acting(after, gate, [{ do: 'forget', sending }]),
        },
      ],
    },
  });
}

function listOf(comments: readonly { comment: Sending['comments'][number] }[]): Line[] {
  return comments.map(({ comment }) =>
    line(span(placeWords(comment), theme.accent), '  ', writtenText(comment).split('\n')[0] ?? ''),
  );
}
