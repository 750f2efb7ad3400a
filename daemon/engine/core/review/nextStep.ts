import type { Binding } from '../../../../schemas/definitions/persona.ts';
import { type ReviewSettings, reviewSettings } from '../../../../schemas/definitions/reviewSettings.ts';
import { MAIN } from '../../../../schemas/mainLane.ts';
import { laneGates } from '../lanes/laneGates.ts';
import { definitionOf } from '../run/query.ts';
import type { Finding, Review, ReviewRound } from '../run/reviewState.ts';
import type { Phase, Run } from '../run/state.ts';
import { type Check, checksOf, failedChecks, narrowsCheck } from './checks.ts';
import { distinctBackends } from './finding/votes.ts';
import { isOpen, mustBeJudged } from './finding/weigh.ts';
import { extraReviewer, judgeOf } from './judges.ts';
import { priorOf, priorVerdict, saidFixed } from './prior.ts';
import { fixOf, headOfRun, reviewOf } from './reviewOf.ts';
import { roundFacts } from './roundFacts.ts';
import { seatsOf } from './seats.ts';
import { whyAsk } from './stopRules.ts';

/** What a review does next. `wait`: its agents, a command or a person are at it. */
export type ReviewStep =
  | { do: 'wait' }
  | { do: 'begin'; reason: ReviewRound['reason'] }
  | { do: 'prepare'; extra: Binding | null }
  | { do: 'accept_fix'; finding: Finding; by: string[] }
  | { do: 'confirm'; finding: Finding; by: 'votes' | 'reproduction'; reason: string }
  | { do: 'check'; what: 'reproductions' | 'checks'; commands: Check[] }
  | { do: 'judge'; judge: Binding; findings: Finding[] }
  | { do: 'ask_dispute'; findings: Finding[] }
  | { do: 'ask_unconverged'; reason: string; findings: Finding[] }
  | { do: 'fix'; findings: Finding[] }
  | { do: 'complete'; outcome: NonNullable<ReviewRound['outcome']>; reason: string }
  | { do: 'end' };

/** A change of so many lines without any finding gets one more look. */
export const MANY_LINES = 100;

/** A pure function of what is recorded, so that a killed daemon continues where it was. */
export function nextStep(run: Run, phase: Phase): ReviewStep {
  const review = reviewOf(phase);
  const round = review.rounds.at(-1);
  if (!round || round.outcome) return betweenRounds(run, phase, review, round);
  if (round.reason === 'changes_requested') return fixing(run, phase, round, []);
  if (!round.look) return { do: 'prepare', extra: null };
  if (round.look.batches.length < round.look.seats.length) return { do: 'wait' };
  return afterLook(run, phase, review, round);
}

function betweenRounds(run: Run, phase: Phase, review: Review, last: ReviewRound | undefined): ReviewStep {
  const isAsked = phase.changeRequest !== null;
  const isAnswered = review.rounds.some((each) => fixOf(each)?.attempt === phase.attempts);
  if (isAsked && !isAnswered && seatsOf(run, phase).fixer) return { do: 'begin', reason: 'changes_requested' };
  if (!last) return { do: 'begin', reason: 'full' };
  if (last.outcome === 'again') return { do: 'begin', reason: fixOf(last) ? 'delta' : 'closing' };
  // The same commit again needs no other look.
  return last.look?.head === headOfRun(run) ? { do: 'end' } : { do: 'begin', reason: 'full' };
}

function afterLook(run: Run, phase: Phase, review: Review, round: ReviewRound): ReviewStep {
  const settings = reviewSettings(definitionOf(run, phase));
  const fix = fixOf(round);
  if (fix) return fixing(run, phase, round, []);
  const extra = extraReviewer(run, phase);
  if (extra && isSuspiciouslyClean(run, phase, round)) return { do: 'prepare', extra };
  const fixed = priorOf(review, round).find(
    (each) => each.state === 'confirmed' && priorVerdict(round, each) === 'fixed',
  );
  if (fixed) return { do: 'accept_fix', finding: fixed, by: saidFixed(round, fixed.id) };
  return judging(run, phase, round, settings) ?? settling(run, phase, review, round, settings);
}

/** A large change in which nobody found anything, and only the ordinary reviewers looked. */
function isSuspiciouslyClean(run: Run, phase: Phase, { round, reason, look }: ReviewRound): boolean {
  if (reason !== 'full' || !look || look.changedLines <= MANY_LINES) return false;
  const isFound = reviewOf(phase).findings.some(({ reporters }) => reporters.some((each) => each.round === round));
  return !isFound && look.seats.length <= seatsOf(run, phase).reviewers.length;
}

/** Decides what the findings are worth, as far as that needs no person. */
function judging(run: Run, phase: Phase, round: ReviewRound, settings: ReviewSettings): ReviewStep | undefined {
  const review = reviewOf(phase);
  const unclear = priorOf(review, round).filter(
    (each) =>
      isLookedAt(round) &&
      each.state === 'confirmed' &&
      priorVerdict(round, each) === 'unclear' &&
      !each.answers.some((answer) => answer.round === round.round),
  );
  const open = [...review.findings.filter((each) => mustBeJudged(each, settings)), ...unclear];
  const agreed = open.find(
    ({ state, severity, reporters, anchor }) =>
      state === 'unverified' && severity !== 'critical' && anchor !== null && distinctBackends(reporters) >= 2,
  );
  if (agreed) return { do: 'confirm', finding: agreed, by: 'votes', reason: 'Two backends reported it.' };
  const reproduced = reproduction(round, open, checksOf(run, phase));
  if (reproduced) return reproduced;
  if (round.asks.some(({ what, isDone }) => what === 'verdict' && !isDone)) return { do: 'wait' };
  const judged = open.flatMap((finding) => {
    const judge = judgeOf(run, phase, finding, round.round);
    return judge ? [{ finding, judge }] : [];
  });
  const [first] = judged;
  if (first) {
    const same = judged.filter(({ judge }) => judge.roleId === first.judge.roleId);
    return { do: 'judge', judge: first.judge, findings: same.map(({ finding }) => finding) };
  }
  const disputed = open.filter(({ state }) => state !== 'confirmed');
  const isAsked = seatsOf(run, phase).fixer !== null;
  return disputed.length > 0 && isAsked ? { do: 'ask_dispute', findings: disputed } : undefined;
}

/** False for a commit that was reviewed before: then what is known of it holds. */
function isLookedAt({ look }: ReviewRound): boolean {
  return look !== null && look.seats.length > 0;
}

/** The commands of findings run once in a round. One that fails confirms its finding. */
function reproduction(round: ReviewRound, open: readonly Finding[], checks: readonly Check[]): ReviewStep | undefined {
  const known = round.checked.find(({ what }) => what === 'reproductions');
  const waiting = open.filter(
    ({ state, reproduce }) => state === 'unverified' && reproduce !== null && narrowsCheck(reproduce, checks),
  );
  if (waiting.length === 0) return undefined;
  if (!known) {
    const commands = waiting.map(({ id, reproduce }) => ({ argv: reproduce ?? [], findingId: id }));
    return { do: 'check', what: 'reproductions', commands };
  }
  for (const finding of waiting) {
    const result = known.results.find(({ findingId }) => findingId === finding.id);
    if (result && isFailure(result.exitCode)) {
      return { do: 'confirm', finding, by: 'reproduction', reason: `${result.argv.join(' ')}: ${result.reason}` };
    }
  }
  return undefined;
}

/** 126 and 127 say that the command did not run; null, that a signal or devflow's limit ended it. */
function isFailure(exitCode: number | null): boolean {
  return exitCode !== null && exitCode !== 0 && exitCode !== 126 && exitCode !== 127;
}

/** Everything is judged: the change passes, is fixed, or a person decides. */
function settling(run: Run, phase: Phase, review: Review, round: ReviewRound, settings: ReviewSettings): ReviewStep {
  const decided = laneGates(run, phase, MAIN).findLast(
    ({ gateKey, subject }) => gateKey === 'review_unconverged' && subject.round === round.round,
  );
  if (decided?.state === 'approved') return { do: 'complete', outcome: 'accepted', reason: 'A person accepted it.' };
  const blockers = review.findings.filter((each) => isOpen(each, settings));
  const checks = checksOf(run, phase);
  const isChecked = round.checked.some(({ what }) => what === 'checks');
  if (blockers.length === 0 && checks.length > 0 && !isChecked)
    return { do: 'check', what: 'checks', commands: checks };
  if (blockers.length === 0 && failedChecks(round).length === 0) {
    if (round.reason === 'delta') return { do: 'complete', outcome: 'again', reason: 'The findings are fixed.' };
    return { do: 'complete', outcome: 'pass', reason: 'No open finding.' };
  }
  if (!seatsOf(run, phase).fixer) return { do: 'complete', outcome: 'findings', reason: 'There are open findings.' };
  const reason = decided ? null : whyAsk(roundFacts(phase, settings), settings.rounds);
  if (reason) return { do: 'ask_unconverged', reason, findings: blockers };
  return fixing(run, phase, round, blockers);
}

function fixing(run: Run, phase: Phase, round: ReviewRound, findings: Finding[]): ReviewStep {
  const fix = fixOf(round);
  if (!fix) return seatsOf(run, phase).fixer ? { do: 'fix', findings } : { do: 'end' };
  return fix.isDone ? { do: 'complete', outcome: 'again', reason: 'The implementer answered.' } : { do: 'wait' };
}
