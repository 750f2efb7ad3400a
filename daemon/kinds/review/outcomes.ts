import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { isLaneHeld } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { artifactOf, type Response } from './artifacts.ts';
import { checksId, lookKey, uncommittedFix } from './effects.ts';
import { nextStep } from './nextStep.ts';
import { nextLook, type ReviewPhase, reviewOf } from './reviewOf.ts';
import { laneOfRole, rolesOf } from './reviewRoles.ts';

/** Nothing follows while a person decides about the whole review. */
const unlessHeld =
  <O>(handle: (run: Run, phase: ReviewPhase, outcome: O) => NewEvent[]) =>
  (run: Run, phase: ReviewPhase, outcome: O): NewEvent[] =>
    isLaneHeld(run, phase, MAIN) ? [] : handle(run, phase, outcome);

export const reviewOutcomes: KindRules<'review'>['outcomes'] = {
  reviewPrepared: unlessHeld(prepared),
  workCommitted: unlessHeld(fixCommitted),
  mergeTested: unlessHeld(checked),
};

function prepared(run: Run, phase: ReviewPhase, outcome: OutcomeOf<'reviewPrepared'>): NewEvent[] {
  const { round, nth, changedLines, fixed, brief, witnesses } = outcome;
  const now = reviewOf(phase).rounds.at(-1);
  const step = nextStep(run, phase);
  if (step.do !== 'prepare' || now?.round !== round || now.reason === 'changes_requested') return [];
  const look = nextLook(run, phase, now);
  if (look.nth !== nth) return [];
  const { reviewers, verifiers } = rolesOf(run, phase);
  const seats = [...reviewers, ...verifiers].flatMap(({ roleId }) => {
    const assignment = lookKey(round, roleId);
    const lane = laneOfRole(run, phase, roleId);
    const drawn = witnesses[assignment];
    return lane && drawn ? [{ assignment, roleId, laneId: lane.id, witnesses: drawn }] : [];
  });
  const payload = {
    round,
    nth,
    scope: now.reason,
    base: run.baseCommit,
    head: look.head,
    from: look.from,
    changedLines,
    fixed,
    ...defined({ brief }),
    seats,
  };
  return [{ type: 'review.prepared', phaseId: phase.id, payload }];
}

function fixCommitted(_: Run, phase: ReviewPhase, { work, part }: OutcomeOf<'workCommitted'>): NewEvent[] {
  const round = reviewOf(phase).rounds.at(-1);
  const assignment = round && uncommittedFix(phase, round);
  if (!round || !assignment || part?.assignment !== assignment) return [];
  const { answers } = artifactOf<Response>(phase, assignment);
  const named = answers.map(({ id: findingId, action, note }) => ({ findingId, action, note }));
  const payload = { round: round.round, assignment, answers: named, work };
  return [{ type: 'review.fix_committed', phaseId: phase.id, payload }];
}

function checked(run: Run, phase: ReviewPhase, { test }: OutcomeOf<'mergeTested'>): NewEvent[] {
  const step = nextStep(run, phase);
  const round = reviewOf(phase).rounds.at(-1);
  if (step.do !== 'check' || !round || test.base !== round.look?.head || test.checks !== checksId(step.commands)) {
    return [];
  }
  const results = step.commands.flatMap(({ findingId }, index) => {
    const result = test.results[index];
    if (!result) return [];
    const { signs: _, ...shown } = result;
    return [{ ...shown, findingId }];
  });
  const { tree, setup } = test;
  const payload = { round: round.round, what: step.what, tree, results, ...defined({ setup }) };
  return [{ type: 'review.checked', phaseId: phase.id, payload }];
}
