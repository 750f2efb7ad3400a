import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { approvalKey } from '../run/keys.ts';
import type { Approval, Phase, Run } from '../run/state.ts';
import { requestApproval } from './requestApproval.ts';

/**
 * Asks a person about one lane; about the merge queue, the plan and a review, the lane is `main`. `nth` tells gates apart that
 * open together.
 */
export function requestOwnGate(
  run: Run,
  phase: Phase,
  laneId: string,
  gateKey: OwnGate,
  subject: Record<string, unknown>,
  nth?: number,
): NewEvent {
  return requestApproval(phase.id, {
    approvalKey: approvalKey(run, phase, gateKey, null, { laneId, nth }),
    gateKey,
    kind: 'gate',
    phaseKey: phase.key,
    laneId,
    attempt: phase.attempts,
    artifactHash: null,
    subject: { laneId, ...subject },
    timeoutMs: run.options.approvalTimeoutMs,
  });
}

/** The gates about a lane in this attempt of the phase, oldest first. Those of every attempt once a person reopened the lane. */
export function laneGates(run: Run, { id, attempts }: Phase, laneId: string): Approval[] {
  const isReopened = run.lanes.some((lane) => lane.id === laneId && lane.reopens.length > 0);
  return run.approvals.filter(
    (gate) => gate.phaseId === id && (isReopened || gate.attempt === attempts) && gate.laneId === laneId,
  );
}

/** The gates about the whole plan or its queue. They hold for all attempts with the same plan; older ones do not name it. */
export function planGates(run: Run, phase: Phase, gateKey: OwnGate): Approval[] {
  const isOfPlan = ({ subject, attempt }: Approval) =>
    subject.plan === undefined ? attempt === phase.attempts : subject.plan === phase.dag?.plan;
  return run.approvals.filter(
    (gate) => gate.phaseId === phase.id && gate.laneId === MAIN && gate.gateKey === gateKey && isOfPlan(gate),
  );
}
