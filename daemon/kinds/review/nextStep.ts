import type { Binding } from '../../../schemas/definitions/persona.ts';
import type { Backend } from '../../../schemas/enums.ts';
import { type ReviewSettings, reviewSettings } from '../../../schemas/kinds/review/settings.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { laneGates } from '../../core/gates/laneGates.ts';
import { comparesClaims } from '../../core/run/behaviour.ts';
import { definitionOf } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { checksOf, failedChecks, narrowsCheck, type ReviewCommand } from './checks.ts';
import { isBlocker, mustBeJudged, worstFirst } from './finding/blockers.ts';
import { isSameClaim } from './finding/sameClaim.ts';
import { extraReviewer, judgeOf } from './judges.ts';
import { priorOf, priorVerdict, saidFixed } from './prior.ts';
import { fixOf, headOfRun, type ReviewPhase, reviewOf } from './reviewOf.ts';
import { rolesOf } from './reviewRoles.ts';
import { roundFacts } from './roundFacts.ts';
import type { Finding, Review, ReviewAsk, ReviewRound } from './state.ts';
import { whyAsk } from './stopRules.ts';

/** The next step of a review. `wait`: its agents, a command or a person are at it. */
export type ReviewStep =
  | { do: 'wait' }
  | { do: 'begin'; reason: ReviewRound['reason'] }
  | { do: 'prepare'; extra: Binding | null }
  | { do: 'accept_fix'; finding: Finding; by: string[] }
  | { do: 'confirm'; finding: Finding; by: 'votes' | 'reproduction'; reason: string }
  | { do: 'check'; what: 'reproductions' | 'checks'; commands: ReviewCommand[] }
  | { do: 'judge'; judge: Binding; findings: Finding[] }
  | { do: 'ask_dispute'; findings: Finding[] }
  | { do: 'ask_unconverged'; reason: string; findings: Finding[] }
  | { do: 'fix'; findings: Finding[] }
  | { do: 'complete'; outcome: NonNullable<ReviewRound['outcome']>; reason: string }
  | { do: 'end' };

/** So many findings at most are in one prompt; the artifact of the answer has room for 200. */
const MOST_ASKED = 100;

/** A change of so many lines without any finding gets one more look. */
export const MANY_LINES = 100;

/** A pure function of what is recorded, so that a killed daemon continues where it was. */
export function nextStep(run: Run, phase: ReviewPhase): ReviewStep {
  const review = reviewOf(phase);
  const round = review.rounds.at(-1);
  if (!round || round.outcome) return betweenRounds(run, phase, review, round);
  const fix = fixOf(round);
  if (fix) return waitForFix(fix);
  if (round.reason === 'changes_requested') return askFix([]);
  if (!round.look) return { do: 'prepare', extra: null };
  if (round.look.batches.length < round.look.seats.length) return { do: 'wait' };
  return afterLook(run, phase, review, round);
}

function betweenRounds(run: Run, phase: ReviewPhase, review: Review, last: ReviewRound | undefined): ReviewStep {
  const hasChangeRequest = review.changeRequest !== null;
  if (hasChangeRequest && hasFixer(run, phase)) return { do: 'begin', reason: 'changes_requested' };
  if (!last) return { do: 'begin', reason: 'full' };
  if (last.outcome === 'again') return { do: 'begin', reason: fixOf(last) ? 'delta' : 'closing' };
  // The same commit again needs no other look.
  return last.look?.head === headOfRun(run) ? { do: 'end' } : { do: 'begin', reason: 'full' };
}

function afterLook(run: Run, phase: ReviewPhase, review: Review, round: ReviewRound): ReviewStep {
  const settings = reviewSettings(definitionOf(run, phase));
  const extra = extraReviewer(run, phase);
  if (extra && isSuspiciouslyClean(run, phase, round)) return { do: 'prepare', extra };
  const fixed = priorOf(review, round).find(
    (each) => each.state === 'confirmed' && !isJudgedIn(round, each) && priorVerdict(round, each) === 'fixed',
  );
  if (fixed) return { do: 'accept_fix', finding: fixed, by: saidFixed(round, fixed.id) };
  return judgeStep(run, phase, round, settings) ?? endStep(run, phase, review, round, settings);
}

/** A large change in which nobody found anything, and only the ordinary reviewers looked. */
function isSuspiciouslyClean(run: Run, phase: ReviewPhase, { round, reason, look }: ReviewRound): boolean {
  if (reason !== 'full' || !look || look.changedLines <= MANY_LINES) return false;
  const isFound = reviewOf(phase).findings.some(({ reporters }) => reporters.some((each) => each.round === round));
  return !isFound && look.seats.length <= rolesOf(run, phase).reviewers.length;
}

/** Decides what the findings are worth, as far as that needs no person. */
function judgeStep(run: Run, phase: ReviewPhase, round: ReviewRound, settings: ReviewSettings): ReviewStep | undefined {
  const review = reviewOf(phase);
  const unclear = priorOf(review, round).filter(
    (each) =>
      isLookedAt(round) &&
      each.state === 'confirmed' &&
      priorVerdict(round, each) === 'unclear' &&
      !isJudgedIn(round, each),
  );
  const toJudge = [...review.findings.filter((each) => mustBeJudged(each, settings)), ...unclear];
  const agreed = toJudge.find(
    (each) =>
      each.state === 'unverified' &&
      each.severity !== 'critical' &&
      each.anchor !== null &&
      distinctBackends(votesFor(run, each)) >= 2,
  );
  if (agreed) return { do: 'confirm', finding: agreed, by: 'votes', reason: 'Two backends reported it.' };
  const reproduced = reproduceStep(round, toJudge, checksOf(run, phase));
  if (reproduced) return reproduced;
  if (round.asks.some(({ what, isDone }) => what === 'verdict' && !isDone)) return { do: 'wait' };
  const judged = toJudge.flatMap((finding) => {
    const judge = judgeOf(run, phase, finding, round.round);
    return judge ? [{ finding, judge }] : [];
  });
  const [first] = judged;
  if (first) {
    const same = judged.filter(({ judge }) => judge.roleId === first.judge.roleId).slice(0, MOST_ASKED);
    return { do: 'judge', judge: first.judge, findings: same.map(({ finding }) => finding) };
  }
  const disputed = toJudge.filter(({ state }) => state !== 'confirmed');
  return disputed.length > 0 && hasFixer(run, phase) ? { do: 'ask_dispute', findings: disputed } : undefined;
}

/** A decision about a finding in a round stands, whatever its reviewers said before. */
function isJudgedIn({ round }: ReviewRound, { resolutions }: Finding): boolean {
  return resolutions.some((resolution) => resolution.round === round);
}

/** False if the review ends with its findings. */
function hasFixer(run: Run, phase: ReviewPhase): boolean {
  return rolesOf(run, phase).fixer !== null;
}

/**
 * Reporters of this claim since a verifier or a person rejected it. A verifier may have joined reports of other claims.
 */
function votesFor(run: Run, { reporters, resolutions, category, summary }: Finding): Finding['reporters'] {
  const rejectedIn = resolutions.findLast(({ status }) => status === 'rejected')?.round ?? 0;
  const since = reporters.filter(({ round }) => round > rejectedIn);
  if (!comparesClaims(run)) return since;
  return since.filter((each) => isSameClaim({ category, summary: each.summary }, { category, summary }));
}

/** False for a commit that was reviewed before: then what is known of it holds. */
function isLookedAt({ look }: ReviewRound): boolean {
  return look !== null && look.seats.length > 0;
}

/** The commands of findings run once in a round. A command that fails confirms its finding. */
function reproduceStep(
  round: ReviewRound,
  toJudge: readonly Finding[],
  checks: readonly ReviewCommand[],
): ReviewStep | undefined {
  const known = round.checked.find(({ what }) => what === 'reproductions');
  const waiting = toJudge.filter(
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
function endStep(
  run: Run,
  phase: ReviewPhase,
  review: Review,
  round: ReviewRound,
  settings: ReviewSettings,
): ReviewStep {
  const decided = laneGates(run, phase, MAIN).findLast(
    ({ gateKey, subject }) => gateKey === 'review_unconverged' && subject.round === round.round,
  );
  if (decided?.state === 'approved') return { do: 'complete', outcome: 'accepted', reason: 'A person accepted it.' };
  const blockers = review.findings.filter((each) => isBlocker(each, settings));
  const checks = checksOf(run, phase);
  const isChecked = round.checked.some(({ what }) => what === 'checks');
  if (blockers.length === 0 && checks.length > 0 && !isChecked)
    return { do: 'check', what: 'checks', commands: checks };
  if (blockers.length === 0 && failedChecks(round).length === 0) {
    if (round.reason === 'delta') return { do: 'complete', outcome: 'again', reason: 'The findings are fixed.' };
    return { do: 'complete', outcome: 'pass', reason: 'No open finding.' };
  }
  if (!hasFixer(run, phase)) {
    const open = blockers.length > 0 ? 'There are open findings.' : 'A check fails.';
    return { do: 'complete', outcome: 'findings', reason: open };
  }
  const reason = decided ? null : whyAsk(roundFacts(phase, settings), settings.rounds);
  if (reason) return { do: 'ask_unconverged', reason, findings: blockers };
  return askFix(blockers);
}

/** The worst first: the rest waits for the next round. */
function askFix(findings: readonly Finding[]): ReviewStep {
  return { do: 'fix', findings: worstFirst(findings).slice(0, MOST_ASKED) };
}

function waitForFix(fix: ReviewAsk): ReviewStep {
  return fix.isDone ? { do: 'complete', outcome: 'again', reason: 'The implementer answered.' } : { do: 'wait' };
}

/**
 * Counts the backends that reported a finding. Two personas on one backend make the same mistakes, so they are one
 * vote.
 */
export function distinctBackends(reporters: readonly { backend: Backend }[]): number {
  return new Set(reporters.map(({ backend }) => backend)).size;
}
