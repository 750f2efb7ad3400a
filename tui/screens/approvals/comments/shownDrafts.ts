import type { NewComment } from '../../../../schemas/comments/comment.ts';
import { type Draft, isOf, type Review } from '../../../../schemas/comments/draft.ts';
import type { RpcResult } from '../../../../schemas/rpc/methods/index.ts';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import { counted } from '../../../../schemas/text/phrases.ts';
import { PAUSED, PENDING } from '../../../model/listQueries.ts';
import type { Model } from '../../../model/model.ts';
import { answerOf, type QueryOf, query } from '../../../model/query.ts';
import { draftsOf, reviewedGate, takesComments } from './takesComments.ts';

/** A draft with the place where this gate shows it. */
export interface ShownDraft {
  readonly draft: Draft;
  readonly comment: NewComment;
  /** Where it comes from, if it was written for something else. */
  readonly note?: string;
  /** Why it has no place here; undefined if it has one. */
  readonly lost?: string;
}

export interface ShownDrafts {
  readonly drafts: readonly ShownDraft[];
  /** True for drafts that a section shows at its end, if none of its rows is what they are about. */
  readonly belongs: (comment: NewComment) => boolean;
}

const MOST_CHECKED = 100;

/**
 * Drafts of gates of the run that are decided by now, and of what this gate showed before. One that may have been sent is not
 * shown until that is known.
 */
export function earlierDrafts(model: Model, approval: ApprovalDetail): readonly Draft[] {
  const { drafts = [], inFlight = [] } = model.reviews.get(approval.id) ?? {};
  const lists = [answerOf(model.data, PENDING), answerOf(model.data, PAUSED)];
  // Without both lists a gate may still wait, and its drafts belong there.
  const isKnown = lists.every((each) => each !== undefined);
  const open = new Set(lists.flatMap((each) => each ?? []).map(({ id }) => id));
  const gate = reviewedGate(approval);
  return drafts
    .filter((each) => !isOf(each, gate) && !inFlight.includes(each.id))
    .filter(({ approvalId }) => approvalId === approval.id || (isKnown && !open.has(approvalId)))
    .slice(-MOST_CHECKED);
}

/** Asks where earlier drafts stand in what the gate shows. */
export function placesQuery(model: Model, approval: ApprovalDetail): QueryOf<'approval.checkComments'> | undefined {
  const earlier = takesComments(approval) ? earlierDrafts(model, approval) : [];
  if (earlier.length === 0) return undefined;
  return query('approval.checkComments', { approvalId: approval.id, comments: earlier.map(({ comment }) => comment) });
}

type Places = RpcResult<'approval.checkComments'>;
interface Known {
  readonly own: readonly Draft[];
  /** Of the earlier ones. */
  readonly ids: string;
  readonly places: Places | undefined;
  readonly of: Map<string, ShownDrafts>;
}
const cache = new WeakMap<Review, Known>();
const NONE: ShownDrafts = { drafts: [], belongs: () => false };

/** The drafts that a section shows. The same object while nothing changed. */
export function draftsIn(model: Model, approval: ApprovalDetail, section: string): ShownDrafts {
  const review = model.reviews.get(approval.id);
  if (!review || !takesComments(approval)) return NONE;
  const own = draftsOf(model, approval);
  const asked = placesQuery(model, approval);
  const places = asked && answerOf(model.data, asked);
  const ids = earlierDrafts(model, approval)
    .map(({ id }) => id)
    .join();
  const known = cache.get(review);
  const isSame = known?.own === own && known.places === places && known.ids === ids;
  const of = isSame ? known.of : new Map<string, ShownDrafts>();
  if (!isSame) cache.set(review, { own, ids, places, of });
  const made = of.get(section);
  if (made) return made;
  const isHome = (comment: NewComment) => homeOf(comment, approval) === section;
  const drafts = [...own.map((draft) => ({ draft, comment: draft.comment })), ...placed(model, approval, places)];
  const shown: ShownDrafts = { drafts, belongs: isHome };
  of.set(section, shown);
  return shown;
}

/** The section that shows a comment. */
function homeOf({ artifact }: NewComment, { diff, artifacts }: ApprovalDetail): 'code' | 'artifact' {
  if (diff === null) return 'artifact';
  return artifact !== null && artifacts.length > 0 ? 'artifact' : 'code';
}

/** The earlier drafts at their places. None before the daemon has said where they stand. */
function placed(model: Model, approval: ApprovalDetail, places: Places | undefined): ShownDraft[] {
  if (!places) return [];
  return earlierDrafts(model, approval).map((draft, nth): ShownDraft => {
    const { comment } = draft;
    const note = draft.approvalId === approval.id ? 'from before the gate changed' : 'from the gate before';
    const found = places.find(({ at }) => at === nth);
    if (found?.place === 'same') return { draft, comment, note };
    if (found?.place === 'moved' && found.line !== undefined && comment.line !== null) {
      const by = found.line - comment.line;
      const endLine = comment.endLine === null ? null : comment.endLine + by;
      return {
        draft,
        comment: { ...comment, line: found.line, endLine },
        note: `${note}, at line ${comment.line} there`,
      };
    }
    return { draft, comment, note, lost: found?.reason ?? 'The gate does not show it.' };
  });
}

/** The comments that a decision leaves out, in words; undefined if there is none. */
export function unsentWords(model: Model, approval: ApprovalDetail): { count: number; words: string } | undefined {
  if (!takesComments(approval)) return undefined;
  const [own, earlier] = [draftsOf(model, approval).length, earlierDrafts(model, approval).length];
  const count = own + earlier;
  if (count === 0) return undefined;
  const parts = [
    ...(own === 0 ? [] : [counted(own, 'comment')]),
    ...(earlier === 0 ? [] : [`${own === 0 ? counted(earlier, 'comment') : earlier} from the gate before`]),
  ];
  return { count, words: `${parts.join(' and ')} ${count === 1 ? 'stays' : 'stay'} unsent.` };
}

/** What a person must know of earlier drafts, a sentence each. */
export function earlierWords(model: Model, approval: ApprovalDetail): string[] {
  const asked = placesQuery(model, approval);
  if (!asked) return [];
  const places = answerOf(model.data, asked);
  const count = earlierDrafts(model, approval).length;
  const words = `${counted(count, 'comment')} from the gate before`;
  if (!places) return [`${words}.`];
  const lost = places.filter(({ place }) => place === 'outdated').length;
  const take = count === lost ? '' : count === 1 ? ' t takes it over.' : ' t takes them over.';
  return [`${words}${lost === 0 ? '' : `, ${lost} without a place`}.${take}`];
}
