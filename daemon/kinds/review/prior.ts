import { fixOf } from './reviewOf.ts';
import type { Finding, Review, ReviewRound } from './state.ts';

/** The findings that the last fix was asked for, and that this look judges. */
export function priorOf(review: Review, { round }: Pick<ReviewRound, 'round'>): Finding[] {
  const before = review.rounds.findLast((each) => each.round < round && fixOf(each) !== undefined);
  const asked = new Set(before && fixOf(before)?.findings);
  const isFresh = !review.rounds.some((each) => each.round < round && each.round > (before?.round ?? 0) && each.look);
  return isFresh ? review.findings.filter(({ id, state }) => asked.has(id) && state !== 'accepted') : [];
}

/** The joint verdict of a look's reviewers about a finding that was to be fixed. */
export function priorVerdict(
  { look, round }: Pick<ReviewRound, 'look' | 'round'>,
  { id: findingId, reporters }: Pick<Finding, 'id' | 'reporters'>,
): 'fixed' | 'present' | 'unclear' {
  const said = (look?.batches ?? []).flatMap(({ prior }) =>
    prior.filter((each) => each.findingId === findingId).map(({ verdict }) => verdict),
  );
  // Somebody reports something at this place again.
  const isSeen = reporters.some((each) => each.round === round);
  if (said.includes('fixed')) return isSeen || said.some((verdict) => verdict !== 'fixed') ? 'unclear' : 'fixed';
  return said.includes('present') && !said.includes('cannot_tell') ? 'present' : 'unclear';
}

/** The roles that say that it is fixed. */
export function saidFixed({ look }: Pick<ReviewRound, 'look'>, findingId: string): string[] {
  const { batches = [], seats = [] } = look ?? {};
  const saying = batches.filter(({ prior }) =>
    prior.some((each) => each.findingId === findingId && each.verdict === 'fixed'),
  );
  return seats
    .filter((seat) => saying.some(({ assignment }) => assignment === seat.assignment))
    .map(({ roleId }) => roleId);
}
