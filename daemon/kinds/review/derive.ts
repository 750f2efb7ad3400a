import { defined } from '../../../schemas/defined.ts';
import { isLaneEnded } from '../../../schemas/enums.ts';
import type { EventPayload, NewEvent } from '../../../schemas/events/index.ts';
import { lanePath } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { deriveFromAssignments } from '../../core/assignment/derive.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import { asksEachDispute } from '../../core/run/behaviour.ts';
import { isLaneHeld, nextGate } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { failedChecks } from './checks.ts';
import { worstFirst } from './finding/blockers.ts';
import { detailsOf } from './finding/findingLines.ts';
import { nextStep, type ReviewStep } from './nextStep.ts';
import { batchEvent } from './recordBatch.ts';
import { verdictEvents } from './recordVerdict.ts';
import { fixOf, headOfRun, type ReviewPhase, reviewOf } from './reviewOf.ts';
import { getLaneOfRole, laneOfRole, rolesOf } from './reviewRoles.ts';
import type { Finding, ReviewRound } from './state.ts';

/** The events that follow in a review phase without anything being done in the world. */
export function deriveReview(run: Run, phase: ReviewPhase): NewEvent[] {
  const opened = openMissingLanes(run, phase);
  if (opened.length > 0) return opened;
  const first = deriveFromAssignments(run, phase);
  if (first.length > 0) return first;
  const recorded = recordArtifacts(run, phase);
  if (recorded.length > 0) return recorded;
  return isLaneHeld(run, phase, MAIN) ? [] : stepEvents(run, phase, nextStep(run, phase));
}

/** True if the review is over and its lanes are closed. */
export function isReviewDone(run: Run, phase: ReviewPhase): boolean {
  return phase.review !== null && openLanesOf(run, phase).length === 0 && nextStep(run, phase).do === 'end';
}

/** A detached worktree for each reviewer and verifier: agents that share one report each other's files. */
function openMissingLanes(run: Run, phase: ReviewPhase): NewEvent[] {
  const { reviewers, verifiers } = rolesOf(run, phase);
  const missing = [...reviewers, ...verifiers].filter(({ roleId }) => !laneOfRole(run, phase, roleId));
  if (missing.length === 0 || nextStep(run, phase).do === 'end') return [];
  return missing.map(({ roleId }, index) => {
    const laneId = `review-${run.lanes.length + index}`;
    const path = lanePath(run.workspaceRoot, run.id, laneId);
    return {
      type: 'lane.opened',
      phaseId: phase.id,
      payload: { laneId, roleId, path, branch: '', base: headOfRun(run) },
    };
  });
}

function openLanesOf(run: Run, phase: ReviewPhase) {
  return run.lanes.filter(({ phaseId, state }) => phaseId === phase.id && !isLaneEnded(state));
}

/** The valid artifacts that are not recorded yet: batches and verdicts. A fix is recorded with its commit. */
function recordArtifacts(run: Run, phase: ReviewPhase): NewEvent[] {
  const round = reviewOf(phase).rounds.at(-1);
  if (!round) return [];
  const isValid = (key: string) =>
    phase.assignments.some((each) => each.key === key && each.status === 'validated' && each.artifact !== null);
  const { look } = round;
  const isOpen = (key: string) => isValid(key) && !look?.batches.some(({ assignment }) => assignment === key);
  const seat = look?.seats.find(({ assignment }) => isOpen(assignment));
  if (look && seat) return [batchEvent(run, phase, round, look, seat)];
  const ask = round.asks.find(({ what, isDone, assignment }) => what === 'verdict' && !isDone && isValid(assignment));
  return ask ? verdictEvents(run, phase, ask) : [];
}

function stepEvents(run: Run, phase: ReviewPhase, step: ReviewStep): NewEvent[] {
  const { id: phaseId } = phase;
  const { rounds } = reviewOf(phase);
  const round = rounds.at(-1)?.round ?? 0;
  switch (step.do) {
    case 'begin':
      return [{ type: 'iteration.started', phaseId, payload: { round: round + 1, reason: step.reason } }];
    case 'complete':
      return [{ type: 'iteration.completed', phaseId, payload: { round, outcome: step.outcome, reason: step.reason } }];
    case 'accept_fix':
      return [{ type: 'finding.fixed', phaseId, payload: { findingId: step.finding.id, round, by: step.by } }];
    case 'confirm':
      return [resolvedEvent(phase, step.finding, { round, status: 'confirmed', by: step.by, reason: step.reason })];
    case 'judge':
      return [askJudge(run, phase, round, step)];
    case 'fix':
      return [askFixer(run, phase, round, step.findings)];
    case 'ask_dispute':
      return askDisputes(run, phase, step.findings);
    case 'ask_unconverged':
      return [openGate(run, phase, { gateKey: 'review_unconverged', findings: step.findings, reason: step.reason })];
    case 'end':
      return endEvents(run, phase);
    case 'wait':
    case 'prepare':
    case 'check':
      return [];
    default:
      return step satisfies never;
  }
}

/** A resolution of a finding that no agent gave. */
export function resolvedEvent(
  phase: ReviewPhase,
  { id: findingId, resolutions }: Finding,
  facts: Pick<EventPayload<'finding.verifier_resolved'>, 'round' | 'status' | 'by' | 'reason'>,
): NewEvent {
  const nobody = { roleId: null, backend: null, quote: null, duplicateOf: null };
  return {
    type: 'finding.verifier_resolved',
    phaseId: phase.id,
    payload: { findingId, nth: resolutions.length + 1, ...nobody, ...facts },
  };
}

function askJudge(
  run: Run,
  phase: ReviewPhase,
  round: number,
  { judge, findings }: Extract<ReviewStep, { do: 'judge' }>,
): NewEvent {
  const { roleId } = judge;
  const nth = (reviewOf(phase).rounds.at(-1)?.asks.length ?? 0) + 1;
  const payload = {
    round,
    assignment: `verdict-${round}-${nth}-${roleId}`,
    what: 'verdict' as const,
    roleId,
    laneId: getLaneOfRole(run, phase, roleId).id,
    findings: findings.map(({ id }) => id),
  };
  return { type: 'review.asked', phaseId: phase.id, payload };
}

function askFixer(run: Run, phase: ReviewPhase, round: number, findings: readonly Finding[]): NewEvent {
  const { fixer } = rolesOf(run, phase);
  if (!fixer) throw new TypeError(`phase ${phase.key} has no role that fixes`);
  const { roleId } = fixer;
  const about = { round, assignment: `fix-${round}`, what: 'fix' as const, roleId, laneId: MAIN };
  return { type: 'review.asked', phaseId: phase.id, payload: { ...about, findings: findings.map(({ id }) => id) } };
}

/** The number of gates of disputes that may be open at a time. */
const MOST_DISPUTES = 10;

/** A gate for each finding, the worst first. The others follow when these are decided. */
function askDisputes(run: Run, phase: ReviewPhase, findings: readonly Finding[]): NewEvent[] {
  if (!asksEachDispute(run)) {
    const reason = 'The verifiers could not settle these findings.';
    return [openGate(run, phase, { gateKey: 'review_dispute', findings, reason })];
  }
  return worstFirst(findings)
    .slice(0, MOST_DISPUTES)
    .map((finding, index) => {
      const details = detailsOf(run, finding).map((line) => line.trim());
      const gate = { gateKey: 'review_dispute' as const, findings: [finding], reason: whoJudged(phase, finding) };
      return openGate(run, phase, { ...gate, details, nth: index + 1 });
    });
}

/** Names the judges of a finding in this round, in a sentence. */
function whoJudged(phase: ReviewPhase, { resolutions }: Finding): string {
  const round = reviewOf(phase).rounds.at(-1)?.round;
  const judges = resolutions.filter((each) => each.round === round && each.by === 'verifier');
  const names = judges.map(({ roleId, backend }) => `${roleId} (${backend})`);
  return names.length === 0 ? 'No other agent can judge it.' : `${names.join(' and ')} could not settle it.`;
}

interface ReviewGate {
  gateKey: 'review_unconverged' | 'review_dispute';
  findings: readonly Finding[];
  reason: string;
  /** Facts about a single finding that a person must know. */
  details?: string[];
  nth?: number;
}

function openGate(run: Run, phase: ReviewPhase, { gateKey, findings, reason, details, nth }: ReviewGate): NewEvent {
  const { rounds } = reviewOf(phase);
  const last = rounds.at(-1);
  const subject = {
    reason,
    round: last?.round,
    findings: findings.map(({ id }) => id),
    open: [
      ...findings.map(openLine),
      ...failedChecks(last ?? { checked: [] }).map(({ argv }) => `the check ${argv.join(' ')} fails`),
    ],
    ...defined({ details }),
    rounds: rounds.map(roundSummary),
    diff: { from: run.baseCommit, to: headOfRun(run) },
  };
  return requestOwnGate(run, phase, MAIN, gateKey, subject, nth);
}

/** The claim without its last period: it stands in a list. */
function openLine({ severity, path, line, summary }: Finding): string {
  return `${severity} ${path}:${line} ${summary.trimEnd().replace(/\.$/, '')}`;
}

function roundSummary(each: ReviewRound): Record<string, unknown> {
  const { round, reason, look } = each;
  const fix = fixOf(each);
  return {
    round,
    reason,
    head: look?.head ?? null,
    toFix: fix?.findings.length ?? 0,
    commit: fix?.work?.commit ?? null,
  };
}

/** The lanes close, and then the phase stops at its gates or completes. */
function endEvents(run: Run, phase: ReviewPhase): NewEvent[] {
  const lanes = openLanesOf(run, phase);
  const { id: phaseId, attempts: attempt, work } = phase;
  if (lanes.length > 0) return lanes.map(({ id: laneId }) => ({ type: 'lane.closed', phaseId, payload: { laneId } }));
  return nextGate(run, phase) === undefined ? [{ type: 'phase.completed', phaseId, payload: { attempt, work } }] : [];
}
