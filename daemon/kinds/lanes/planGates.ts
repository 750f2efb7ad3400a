import type { OwnGate } from '../../../schemas/gates/ownGates.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Approval, Run } from '../../core/run/state.ts';
import type { LanesPhase } from './plan.ts';

/** The gates about the whole plan or its queue. They hold for all attempts with the same plan; older ones do not name it. */
export function planGates(run: Run, phase: LanesPhase, gateKey: OwnGate): Approval[] {
  const isOfPlan = ({ subject, attempt }: Approval) =>
    subject.plan === undefined ? attempt === phase.attempts : subject.plan === phase.dag?.plan;
  return run.approvals.filter(
    (gate) => gate.phaseId === phase.id && gate.laneId === MAIN && gate.gateKey === gateKey && isOfPlan(gate),
  );
}
