import { BACKEND_FACTS } from '../../../schemas/backends/backendFacts.ts';
import type { Binding } from '../../../schemas/definitions/persona.ts';
import { beforeDirInWorktree, diffPathInWorktree } from '../../../schemas/files/runPaths.ts';
import type { Seat } from '../../../schemas/kinds/review/events.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Request } from '../../core/assignment/request.ts';
import { modeOf } from '../../core/binding/binding.ts';
import { laneGates } from '../../core/gates/laneGates.ts';
import { measuredLines } from '../../core/objective/writers.ts';
import { asksEachDispute, briefsReviewers, comparesClaims, quotesRemovedLines } from '../../core/run/behaviour.ts';
import { placeOf } from '../../core/run/lanes.ts';
import { definitionOf, getBinding } from '../../core/run/query.ts';
import type { Assignment, Run } from '../../core/run/state.ts';
import { briefLines, sizeLines } from './briefLines.ts';
import { checksOf, failedChecks } from './checks.ts';
import { detailsOf, lineOf } from './finding/findingLines.ts';
import { likelyPairs } from './finding/likelyPairs.ts';
import { isSamePlace } from './finding/sameFinding.ts';
import { priorOf } from './prior.ts';
import { FIX, LOOK, VERDICT } from './prompts.ts';
import { LOOK_FROM_5, VERDICT_FROM_5 } from './promptsFrom5.ts';
import { type ReviewPhase, reviewOf } from './reviewOf.ts';
import type { Finding, Look, ReviewAsk, ReviewRound } from './state.ts';

/** An assignment of a review is asked for a look, a verdict, or a fix. */
export function reviewRequest(run: Run, phase: ReviewPhase, { key, laneId }: Assignment): Request {
  const { rounds } = reviewOf(phase);
  for (const round of rounds) {
    const { look } = round;
    const seat = look?.seats.find(({ assignment }) => assignment === key);
    if (look && seat) return lookRequest(run, phase, round, look, seat);
    const ask = round.asks.find(({ assignment }) => assignment === key);
    if (ask)
      return ask.what === 'fix' ? fixRequest(run, phase, round, ask) : verdictRequest(run, phase, round, ask, laneId);
  }
  throw new TypeError(`phase ${phase.key} has no assignment ${key}`);
}

function lookRequest(run: Run, phase: ReviewPhase, round: ReviewRound, look: Look, seat: Seat): Request {
  const { instructions = '' } = definitionOf(run, phase);
  const { head, base, scope, from } = look;
  const { witnesses, laneId, roleId } = seat;
  const prior = priorOf(reviewOf(phase), round);
  const hasOld = quotesRemovedLines(run);
  const texts = hasOld ? LOOK_FROM_5 : LOOK;
  const isDelta = scope === 'delta';
  const { path: worktree } = placeOf(run, laneId);
  const review = [
    `Review: head ${head} base ${base} scope ${scope}${from === null || !isDelta ? '' : ` from ${from}`}`,
    ...witnesses.map(({ path, side, lines }) => `Quote${side ? ' removed' : ''}: ${path}: ${lines.join(', ')}`),
    ...prior.map((finding) => `Prior: ${lineOf(finding)}`),
    ...(look.brief ? briefLines(look.brief) : []),
    `Change: ${diffPathInWorktree(worktree, phase.key, 'change')}`,
    ...(isDelta ? [`Fix: ${diffPathInWorktree(worktree, phase.key, 'fix')}`] : []),
    ...(hasOld ? [`Before: ${beforeDirInWorktree(worktree, phase.key, isDelta ? 'fix' : 'change')}`] : []),
    ...checksOf(run, phase).map(({ argv }) => `Check: ${argv.join(' ')}`),
    ...measuredLines(run, look),
    '',
    texts[scope],
    ...(prior.length > 0 ? [texts.prior] : []),
    texts.artifact,
    ...(briefsReviewers(run) ? ['', meansOf(getBinding(run, roleId))] : []),
  ].join('\n');
  const before = commitsBefore(run, look);
  const expected = { what: 'look' as const, place: placeOf(run, laneId), head, base, before, scope, witnesses };
  return {
    instructions,
    file: 'findings.json',
    schema: hasOld ? 'dev/review-finding-batch@2' : 'dev/review-finding-batch@1',
    wantsData: true,
    changeRequest: null,
    review: { ...expected, prior: prior.map(({ id }) => id) },
    values: { review },
  };
}

function verdictRequest(run: Run, phase: ReviewPhase, { look }: ReviewRound, ask: ReviewAsk, laneId: string): Request {
  const { findings } = reviewOf(phase);
  const asked = findings.filter(({ id }) => ask.findings.includes(id));
  const known = findings.filter((each) => isOpen(each) || (comparesClaims(run) && isFixedAtPlaceOf(each, asked)));
  const pairs = likelyPairs(known, { samePlace: comparesClaims(run) }).filter(
    ([a, b]) => ask.findings.includes(a) || ask.findings.includes(b),
  );
  const named = new Set(pairs.flat().filter((id) => !ask.findings.includes(id)));
  const { head = '', base = '' } = look ?? {};
  const { path: worktree } = placeOf(run, laneId);
  const removed = asked.filter(({ anchor }) => anchor?.removed).map(({ id }) => id);
  const isOld = quotesRemovedLines(run);
  const review = [
    `Review: head ${head} base ${base}`,
    ...(look?.brief ? sizeLines(look.brief) : []),
    `Change: ${diffPathInWorktree(worktree, phase.key, 'change')}`,
    ...(isOld ? [`Before: ${beforeDirInWorktree(worktree, phase.key, 'change')}`] : []),
    ...(isOld && look?.scope === 'delta' ? [`Before the fix: ${beforeDirInWorktree(worktree, phase.key, 'fix')}`] : []),
    ...asked.flatMap((finding) => [`Finding: ${lineOf(finding)}`, ...detailsOf(run, finding)]),
    ...known.filter(({ id }) => named.has(id)).map((finding) => `Known: ${lineOf(finding)}`),
    ...pairs.map(([a, b]) => `Perhaps the same defect: ${a} and ${b}`),
  ].join('\n');
  const expected = {
    place: placeOf(run, laneId),
    head,
    before: look ? commitsBefore(run, look) : [],
    asked: ask.findings,
    removed,
    known: known.map(({ id }) => id),
  };
  return {
    instructions: [
      isOld ? VERDICT_FROM_5 : VERDICT,
      ...(briefsReviewers(run) ? [meansOf(getBinding(run, ask.roleId))] : []),
    ].join('\n\n'),
    file: 'verdicts.json',
    schema: 'dev/review-verdict@1',
    wantsData: true,
    changeRequest: null,
    review: { what: 'verdict', ...expected },
    values: { review },
  };
}

/** A duplicate of something settled would be settled with it. */
const isOpen = ({ state }: Finding) => state === 'unverified' || state === 'confirmed' || state === 'disputed';

/** A fixed defect that comes back may be reported in other words. As a duplicate of the fixed finding it opens that one again. */
function isFixedAtPlaceOf(finding: Finding, asked: readonly Finding[]): boolean {
  return finding.state === 'fixed' && asked.some((each) => isSamePlace(finding, each));
}

function fixRequest(run: Run, phase: ReviewPhase, round: ReviewRound, ask: ReviewAsk): Request {
  const asked = reviewOf(phase).findings.filter(({ id }) => ask.findings.includes(id));
  const failed = failedChecks(round).map(({ argv, reason, stdoutPath, stderrPath }) => {
    return `Failed check: ${argv.join(' ')}: ${reason}. Output: ${stdoutPath} and ${stderrPath}`;
  });
  const comments = laneGates(run, phase, MAIN)
    .filter(({ subject, decision }) => subject.round === round.round && decision?.action === 'request_changes')
    // A comment about one finding stands at that finding.
    .filter(({ gateKey }) => gateKey !== 'review_dispute' || !asksEachDispute(run))
    .flatMap(({ decision }) => (decision?.comment ? [`A person said: ${decision.comment}`] : []));
  const review = [
    ...asked.flatMap((finding) => [`Finding: ${lineOf(finding)}`, ...detailsOf(run, finding)]),
    ...failed,
    ...comments,
  ].join('\n');
  return {
    instructions: FIX,
    file: 'response.json',
    schema: 'dev/review-response@1',
    wantsData: true,
    changeRequest: round.changeRequest,
    review: { what: 'fix', asked: ask.findings },
    values: { review: review === '' ? 'There are no findings. Make the changes that are asked for below.' : review },
  };
}

/** The commits that have the removed lines; the one of the Before directory first. */
function commitsBefore(run: Run, { scope, from, base }: Look): string[] {
  if (!quotesRemovedLines(run)) return [];
  return scope === 'delta' && from !== null ? [from, base] : [base];
}

/** The abilities of an agent of a review. They stand last, because templates say to run things. */
export function meansOf(binding: Binding): string {
  if (modeOf(binding) !== 'read') return 'You may run commands. What you run or change here is thrown away.';
  return BACKEND_FACTS[binding.backend].readerHasShell
    ? 'Your shell can read and change nothing: use git diff, git show and rg. Tests do not run there.'
    : 'You have no shell. Read and search files. Where a text says to run something, read the code that decides it instead.';
}
