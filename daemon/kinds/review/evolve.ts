import { defined } from '../../../schemas/defined.ts';
import type { KindEventType, RunEvent } from '../../../schemas/events/index.ts';
import type { RoundStarted } from '../../../schemas/events/iteration.ts';
import type { ReportedFinding } from '../../../schemas/kinds/review/events.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { openComments } from '../../core/comments/comments.ts';
import type { Folds, RoundEvent } from '../../core/phases/kindRules.ts';
import { addCommittedWork } from '../../core/run/committedWork.ts';
import { patchPhase, patchPhaseOf } from '../../core/run/patch.ts';
import { phasesOf } from '../../core/run/query.ts';
import { resetRecoveryBudget, startRenewal } from '../../core/run/sessionBudget.ts';
import type { Run, Session } from '../../core/run/state.ts';
import { mergeDuplicate, newFinding, noted, resolvedAs, seenAgain } from './evolveFinding.ts';
import { carryFinding } from './finding/carryFinding.ts';
import { originalOf } from './finding/originalOf.ts';
import { createIdentities } from './finding/sameFinding.ts';
import type { Finding, Review, ReviewRound } from './state.ts';

type Of<T extends KindEventType<'review'>> = Extract<RunEvent, { type: T }>;
type OfPhase = Pick<RunEvent, 'phaseId'>;

/** The looks of a review, and its findings. */
export const reviewFolds: Folds<KindEventType<'review'>> = {
  'review.prepared': prepared,
  'review.batch_recorded': batchRecorded,
  'review.asked': asked,
  'review.verdict_recorded': (run, event) => patchAsk(run, event, { isDone: true }),
  'review.fix_committed': fixCommitted,
  'review.checked': (run, event) =>
    patchRound(run, event, ({ checked }) => {
      const { what, results, setup } = event.payload;
      return { checked: [...checked, { what, results, ...defined({ setup }) }] };
    }),
  'finding.verifier_resolved': resolved,
  'finding.fixed': (run, event) =>
    patchFinding(run, event, (finding) => ({
      state: 'fixed',
      ...noted(finding, event, 'fixed', event.payload.by.join(', '), ''),
    })),
  'finding.accepted': (run, event) =>
    patchFinding(run, event, (finding) => ({
      state: 'accepted',
      ...noted(finding, event, 'accepted', 'person', event.payload.comment ?? ''),
    })),
};

/** The rounds of a review. */
export function evolveRound(run: Run, event: RoundEvent): Run {
  if (event.type === 'iteration.started') return patchReview(run, event, (review) => started(review, event.payload));
  return patchRound(run, event, () => ({ outcome: event.payload.outcome }));
}

function started({ rounds, changeRequest: wanted }: Review, { round, reason }: RoundStarted): Partial<Review> {
  const isAboutIt = reason === 'changes_requested';
  const begun = {
    round,
    reason,
    changeRequest: isAboutIt ? wanted : null,
    look: null,
    asks: [],
    checked: [],
    outcome: null,
  };
  return { rounds: [...rounds, begun], changeRequest: isAboutIt ? null : wanted };
}

/** The worktrees have the commit to review, and each reviewer gets a prompt in a new conversation. */
function prepared(run: Run, event: Of<'review.prepared'>): Run {
  const { round, nth, ...facts } = event.payload;
  const look = (before: ReviewRound['look']) =>
    nth === 1 || !before ? { ...facts, batches: [] } : { ...before, seats: [...before.seats, ...facts.seats] };
  const next = patchRound(run, event, (each) => ({ look: look(each.look) }));
  if (nth > 1) return withAssignments(next, event, facts.seats);
  const moved = patchReview(next, event, ({ findings }) => ({
    findings: findings.map((finding) => carryFinding(facts.fixed, finding)),
  }));
  const isOwn = (laneId: string) => run.lanes.some(({ id, phaseId }) => id === laneId && phaseId === event.phaseId);
  const fresh = (session: Session) => (isOwn(session.laneId) ? resetRecoveryBudget(startRenewal(session)) : session);
  const lanes = moved.lanes.map((lane) => (isOwn(lane.id) ? { ...lane, base: facts.head } : lane));
  return withAssignments({ ...moved, lanes, sessions: moved.sessions.map(fresh) }, event, facts.seats);
}

function asked(run: Run, event: Of<'review.asked'>): Run {
  const { assignment, roleId, laneId, what } = event.payload;
  const ask = { ...event.payload, isDone: false, work: null };
  const next = patchRound(run, event, ({ asks }) => ({ asks: [...asks, ask] }));
  // Whoever looks at the change or judges it answers no person.
  const comments = what === 'fix' ? openComments(run, { id: event.phaseId ?? '' }) : [];
  return withAssignments(next, event, [{ assignment, roleId, laneId, comments }]);
}

function withAssignments(
  run: Run,
  { phaseId }: OfPhase,
  seats: readonly { assignment: string; roleId: string; laneId: string; comments?: string[] }[],
): Run {
  return patchPhase(run, phaseId, (phase) => {
    const first = { nth: phase.attempts, cause: 'first' as const, changeRequest: null };
    const fresh = seats.map(({ assignment: key, ...seat }) => newAssignment(run, phase, { key, ...seat }, first));
    return { assignments: [...phase.assignments, ...fresh] };
  });
}

function batchRecorded(run: Run, event: Of<'review.batch_recorded'>): Run {
  const { round, assignment, reviewerRole, backend, findings, prior } = event.payload;
  const reporter = { roleId: reviewerRole, backend, round };
  const next = patchRound(run, event, ({ look }) =>
    look ? { look: { ...look, batches: [...look.batches, { assignment, prior }] } } : {},
  );
  const reported = patchReview(next, event, (review) => {
    const seen = ({ severity, summary }: ReportedFinding) => ({ ...reporter, severity, summary });
    const again = new Map(findings.filter(({ isNew }) => !isNew).map((each) => [each.findingId, each]));
    const known = review.findings.map((each) => {
      const by = again.get(each.id);
      return by ? seenAgain(run, each, by, seen(by), originalOf(review.findings, each) ?? each) : each;
    });
    const taken = new Set(
      phasesOf('review', run).flatMap(({ review: each }) => each?.findings.map(({ identity }) => identity) ?? []),
    );
    const identify = createIdentities(taken);
    const fresh = findings
      .filter(({ isNew }) => isNew)
      .map((each) => newFinding(each, seen(each), identify({ ...each, path: each.filePath })));
    return { findings: [...known, ...fresh] };
  });
  return prior.reduce((all, { findingId, verdict, evidence }) => {
    const payload = { findingId, round };
    return verdict === 'fixed'
      ? all
      : patchFinding(all, { ...event, payload }, (finding) =>
          noted(finding, { payload }, 'present', reviewerRole, evidence),
        );
  }, reported);
}

function resolved(run: Run, event: Of<'finding.verifier_resolved'>): Run {
  const { findingId, ...resolution } = event.payload;
  const { status, duplicateOf } = resolution;
  const reporters = patchReview(run, event, ({ findings }) => ({
    findings: status === 'duplicate' ? mergeDuplicate(run, findings, findingId, duplicateOf) : findings,
  }));
  return patchFinding(reporters, event, (finding) => resolvedAs(run, finding, resolution));
}

function fixCommitted(run: Run, event: Of<'review.fix_committed'>): Run {
  const { answers, work } = event.payload;
  const { roleId = 'implementer' } = askIn(run, event) ?? {};
  const done = patchAsk(run, event, { isDone: true, work });
  const committed = addCommittedWork(done, event.phaseId, work);
  return answers.reduce(
    (all, { findingId, action, note }) =>
      patchFinding(all, { ...event, payload: { findingId } }, (finding) =>
        noted(finding, event, 'answered', roleId, note === '' ? action : `${action}: ${note}`),
      ),
    committed,
  );
}

function patchReview(run: Run, { phaseId }: OfPhase, change: (review: Review) => Partial<Review>): Run {
  return patchPhaseOf('review', run, phaseId, ({ review }) =>
    review ? { review: { ...review, ...change(review) } } : {},
  );
}

function patchRound(
  run: Run,
  event: OfPhase & { payload: { round: number } },
  change: (round: ReviewRound) => Partial<ReviewRound>,
): Run {
  return patchReview(run, event, ({ rounds }) => ({
    rounds: rounds.map((each) => (each.round === event.payload.round ? { ...each, ...change(each) } : each)),
  }));
}

function askIn(run: Run, { phaseId, payload }: Of<'review.fix_committed'>): ReviewRound['asks'][number] | undefined {
  const rounds = phasesOf('review', run).find(({ id }) => id === phaseId)?.review?.rounds ?? [];
  return rounds.flatMap(({ asks }) => asks).find(({ assignment }) => assignment === payload.assignment);
}

function patchAsk(
  run: Run,
  event: Of<'review.verdict_recorded' | 'review.fix_committed'>,
  change: Partial<ReviewRound['asks'][number]>,
): Run {
  const { assignment } = event.payload;
  return patchRound(run, event, ({ asks }) => ({
    asks: asks.map((ask) => (ask.assignment === assignment ? { ...ask, ...change } : ask)),
  }));
}

function patchFinding(
  run: Run,
  event: OfPhase & { payload: { findingId: string } },
  change: (finding: Finding) => Partial<Finding>,
): Run {
  return patchReview(run, event, ({ findings }) => ({
    findings: findings.map((each) => (each.id === event.payload.findingId ? { ...each, ...change(each) } : each)),
  }));
}
