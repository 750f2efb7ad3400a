import {
  type Comment,
  MOST_COMMENTS,
  MOST_TEXT,
  type NewComment,
  placesFault,
} from '../../../schemas/comments/comment.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { shownHash } from '../../../schemas/gates/shownHash.ts';
import { counted } from '../../../schemas/text/phrases.ts';
import { visible } from '../../../schemas/text/visible.ts';
import type { Placed } from '../run/comment.ts';
import type { Approval, Run } from '../run/state.ts';
import { phaseAsked } from './phaseAsked.ts';
import { requestText } from './requestText.ts';

interface Given {
  action: string;
  comment: string | null;
  comments?: readonly NewComment[];
  /** Of each comment. Absent: nobody looked. */
  placed?: readonly Placed[];
  shown?: string;
}

/** The comments of a decision with their ids and anchors, or why the decision is refused. */
export function decidedComments(run: Run, approval: Approval, given: Given): Comment[] | DevflowError {
  const { action, comment, comments = [], placed = [], shown } = given;
  if (shown !== undefined && shown !== shownHash(approval)) return otherShown(run, approval);
  if (comments.length === 0) return [];
  const about = { runId: run.id };
  if (action !== 'request_changes') {
    return new DevflowError('usage', 'Comments belong to a request for changes.', about);
  }
  if (!phaseAsked(run, approval)) {
    return new DevflowError('usage', `No agent answers comments at the gate ${approval.gateKey}.`, {
      ...about,
      recoveryHint: 'Say it in the comment of the decision.',
    });
  }
  if (comments.length > MOST_COMMENTS) {
    const message = `A decision takes ${MOST_COMMENTS} comments; these are ${comments.length}.`;
    return new DevflowError('usage', message, { ...about, recoveryHint: 'Send the most important ones.' });
  }
  const misplaced = comments.flatMap((each, at) => {
    const fault = placesFault(each);
    const found = fault === undefined ? placed[at] : ({ place: 'outdated', reason: fault } as const);
    return found === undefined || found.place === 'same' ? [] : [{ at, ...found }];
  });
  if (misplaced.length > 0) return misplacedComments(run, comments, misplaced);
  const recorded = comments.map((each, at): Comment => {
    const found = placed[at];
    const read = found?.place === 'same' ? found : { quote: each.quote, anchor: null };
    return { ...each, id: `c${run.comments.length + at + 1}`, quote: read.quote, anchor: read.anchor };
  });
  const { length } = requestText(run, comment, recorded) ?? '';
  if (length <= MOST_TEXT) return recorded;
  const message = `The comments and their quotes have ${length} characters; ${MOST_TEXT} fit into a request.`;
  return new DevflowError('usage', message, { ...about, recoveryHint: 'Quote fewer lines, or send fewer comments.' });
}

function otherShown(run: Run, { id, gateKey }: Approval): DevflowError {
  const message = `The gate ${gateKey} shows something else than you were shown.`;
  return new DevflowError('changes_under_decision', message, { runId: run.id, data: { approvalRequestId: id } });
}

type Misplaced = Exclude<Placed, { place: 'same' }> & { at: number };

/** Names each comment: a client shows them again, and a person corrects them. */
function misplacedComments(run: Run, comments: readonly NewComment[], faults: readonly Misplaced[]): DevflowError {
  const named = faults.map(({ at, reason }) => `Comment ${at + 1}${whereOf(comments[at])}: ${reason}`);
  const are = faults.length === 1 ? 'is' : 'are';
  const message = `${counted(faults.length, 'comment')} ${are} not where the work is. ${named.join(' ')}`;
  return new DevflowError('comments_misplaced', message, { runId: run.id, data: { comments: faults } });
}

function whereOf(comment: NewComment | undefined): string {
  if (!comment?.path) return '';
  return ` (${visible(comment.path)}${comment.line === null ? '' : `:${comment.line}`})`;
}
