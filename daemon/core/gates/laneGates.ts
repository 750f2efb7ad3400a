import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
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

/** The gates about a lane in this attempt of the phase, oldest first. In a reopened lane, those of all attempts. */
export function laneGates(run: Run, { id, attempts }: Phase, laneId: string): Approval[] {
  const isReopened = run.lanes.some((lane) => lane.id === laneId && lane.reopens.length > 0);
  return run.approvals.filter(
    (gate) => gate.phaseId === id && (isReopened || gate.attempt === attempts) && gate.laneId === laneId,
  );
}
