import type { Review, Sending } from '../../../schemas/comments/draft.ts';
import type { ApprovalDetail } from '../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { type Model, type Step, step } from '../../model/model.ts';
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
  const then = (sure: Model): Step => {
    const { then: taken, failed, doing } = decideWith(sure, gate);
    return step(sure, { type: 'sendReview', gate: reviewedGate(gate), drafts, doing, then: taken, failed });
  };
  if (sending) return sendAgain(model, gate, sending, then);
  const question = `Request changes with ${counted(drafts.length, 'comment')}?`;
  const list = listOf(drafts);
  return step({ ...model, overlay: { kind: 'confirm', title: 'Send', question, list, yes: 'y', label: 'send', then } });
}

/** A try was not answered. The daemon takes its token once, so a second try is the same decision. */
function sendAgain(model: Model, gate: ApprovalDetail, sending: Sending, then: (sure: Model) => Step): Step {
  const newer = draftsOf(model, gate).filter(({ id }) => !sending.drafts.includes(id)).length;
  const detail = [
    'An earlier try was not answered. The daemon takes it once.',
    ...(newer === 0 ? [] : [`${counted(newer, 'newer comment')} ${newer === 1 ? 'is' : 'are'} not part of it.`]),
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
          then: (after) => acting(after, gate, { do: 'forget', sending }),
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
