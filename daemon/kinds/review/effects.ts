import { commandOutputDir, integrationPath, stepDir } from '../../../schemas/files/runPaths.ts';
import { hash } from '../../../schemas/hash.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { assignmentEffects } from '../../core/assignment/effects.ts';
import type { Effect } from '../../core/effect/effect.ts';
import { metricsNames } from '../../core/objective/writers.ts';
import { aboutWork } from '../../core/phases/aboutWork.ts';
import { briefsReviewers, quotesRemovedLines } from '../../core/run/behaviour.ts';
import { mergeTime, placeOf, readerDiffs } from '../../core/run/lanes.ts';
import { definitionOf, isDue, isLaneHeld } from '../../core/run/query.ts';
import { commandSandbox } from '../../core/run/sandboxOf.ts';
import { placeSetup } from '../../core/run/setupEnvironment.ts';
import type { Run } from '../../core/run/state.ts';
import type { ReviewCommand } from './checks.ts';
import { nextStep } from './nextStep.ts';
import { reviewRequest } from './requests.ts';
import { fixOf, headOfRun, nextLook, type ReviewPhase, reviewOf } from './reviewOf.ts';
import { getLaneOfRole, rolesOf } from './reviewRoles.ts';
import type { ReviewRound } from './state.ts';

export function reviewEffects(run: Run, phase: ReviewPhase): Effect[] {
  // Assignments of earlier rounds stay in the phase, but nobody needs their prompts any more.
  const agents = phase.assignments
    .filter(isDue)
    .flatMap((each) => assignmentEffects(run, phase, each, reviewRequest(run, phase, each)));
  return [...agents, ...ownEffects(run, phase)];
}

function ownEffects(run: Run, phase: ReviewPhase): Effect[] {
  const round = reviewOf(phase).rounds.at(-1);
  if (!round || isLaneHeld(run, phase, MAIN)) return [];
  const fix = uncommittedFix(phase, round);
  if (fix) return [commitFix(run, phase, round.round, fix)];
  const step = nextStep(run, phase);
  if (step.do === 'prepare') return [prepareReview(run, phase, round, step.extra?.roleId ?? null)];
  return step.do === 'check' ? [runChecks(run, phase, round, step.commands)] : [];
}

/** The assignment of a fix that is answered and not committed yet. */
export function uncommittedFix(phase: ReviewPhase, round: ReviewRound): string | undefined {
  const fix = fixOf(round);
  if (!fix || fix.isDone) return undefined;
  const assignment = phase.assignments.find(({ key }) => key === fix.assignment);
  return assignment?.status === 'validated' ? assignment.key : undefined;
}

function prepareReview(run: Run, phase: ReviewPhase, now: ReviewRound, extra: string | null): Effect {
  const { round, reason, look } = now;
  const { reviewers, verifiers } = rolesOf(run, phase);
  const readers = [...reviewers, ...verifiers].map(({ roleId }) => getLaneOfRole(run, phase, roleId).id);
  const { nth, head, from } = nextLook(run, phase, now);
  const range = { base: run.baseCommit, from };
  const quotesRemoved = quotesRemovedLines(run);
  const readerAt = (laneId: string) => {
    const place = placeOf(run, laneId);
    return { ...place, startCommit: head, head, diffs: readerDiffs(place.path, phase.key, range, { quotesRemoved }) };
  };
  const looking = extra === null ? lookers(run, phase, now, head) : [extra];
  return {
    type: 'prepareReview',
    runId: run.id,
    key: `prepareReview:${phase.id}:${round}:${nth}:${head}`,
    phaseId: phase.id,
    laneId: MAIN,
    round,
    nth,
    main: placeOf(run, MAIN),
    ...range,
    head,
    isDelta: reason === 'delta',
    quotesRemoved,
    brief:
      briefsReviewers(run) && nth === 1
        ? { dir: stepDir(run.workspaceRoot, run.id, phase.key, round), ...metricsNames(run) }
        : null,
    lanes: look ? [] : readers.map(readerAt),
    assignments: looking.map((roleId) => lookKey(round, roleId)),
  };
}

/** The closing look is one reviewer's; every other look is everybody's. No commit gets a second look of the same kind. */
function lookers(run: Run, phase: ReviewPhase, { round, reason }: ReviewRound, head: string): string[] {
  const before = reviewOf(phase).rounds.filter((each) => each.round < round && each.look?.head === head);
  const isKnown = before.some((each) => reason === 'delta' || each.reason !== 'delta');
  const roles = isKnown ? [] : rolesOf(run, phase).reviewers.map(({ roleId }) => roleId);
  return reason === 'closing' ? roles.slice(0, 1) : roles;
}

export const lookKey = (round: number, roleId: string) => `look-${round}-${roleId}`;

function commitFix(run: Run, phase: ReviewPhase, round: number, assignment: string): Effect {
  const since = headOfRun(run);
  return {
    type: 'commitWork',
    runId: run.id,
    key: `commitWork:${phase.id}:${assignment}`,
    phaseId: phase.id,
    phaseKey: phase.key,
    attempt: round,
    lane: placeOf(run, MAIN),
    since,
    title: definitionOf(run, phase).title,
    ...aboutWork(phase.assignments.filter(({ key }) => key === assignment)),
    part: { assignment, writeSet: ['**'], base: since },
    bindsWorktree: false,
    hasGate: false,
  };
}

/** The commands run in devflow's own worktree, at exactly the reviewed commit. */
function runChecks(
  run: Run,
  phase: ReviewPhase,
  { round, look }: ReviewRound,
  checks: readonly ReviewCommand[],
): Effect {
  const base = look?.head ?? headOfRun(run);
  const commands = checks.map(({ argv, timeoutMs = run.options.commandTimeoutMs }) => ({
    kind: 'test' as const,
    argv,
    timeoutMs,
  }));
  const id = checksId(checks);
  const worktree = integrationPath(run.workspaceRoot, run.id);
  const { setup } = placeSetup(run, 'checks', worktree);
  return {
    type: 'testMerge',
    runId: run.id,
    ...(setup ? { setup: { ...setup, isCheck: false } } : {}),
    key: `testMerge:${phase.id}:${round}:${base}:${id}`,
    phaseId: phase.id,
    laneId: MAIN,
    main: placeOf(run, MAIN),
    worktree,
    base,
    lanes: [],
    checks: { hash: id, commands },
    nth: 1,
    known: [],
    dir: commandOutputDir(run.workspaceRoot, run.id),
    ...commandSandbox(run),
    at: mergeTime(run),
  };
}

export const checksId = (checks: readonly ReviewCommand[]) =>
  hash(checks.map(({ argv, findingId }) => [argv, findingId]));
