import type { NewEvent } from '../../../schemas/events/index.ts';
import { PROBES_GATE } from '../../../schemas/kinds/step/gates.ts';
import type { ProbePlan } from '../../../schemas/kinds/step/probePlan.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import { isUndecided } from '../../core/run/query.ts';
import type { Approval, Phase, Run } from '../../core/run/state.ts';
import type { ProbesDecided } from './effect.ts';

/** True while a person decides whether devflow may run what the repository says. */
export function isProbesAsked(run: Run, phase: Phase): boolean {
  return gatesOf(run, phase).some(isUndecided);
}

/** The newest decision, also of an earlier attempt; null if nobody decided yet. */
export function probesDecided(run: Run, phase: Phase): ProbesDecided | null {
  const gate = gatesOf(run, phase).findLast(({ decision }) => decision !== null);
  return gate ? { plan: String(gate.subject.plan), run: gate.decision?.action === 'approve' } : null;
}

/** Asks a person about the list. A list that was decided is not asked about again. */
export function askAboutProbes(run: Run, phase: Phase, plan: ProbePlan): NewEvent[] {
  const decided = probesDecided(run, phase);
  if (isProbesAsked(run, phase) || decided?.plan === plan.plan) return [];
  const subject = decided ? { ...plan, isChanged: true } : { ...plan };
  return [requestOwnGate(run, phase, MAIN, PROBES_GATE, subject)];
}

function gatesOf(run: Run, { id }: Phase): Approval[] {
  return run.approvals.filter((gate) => gate.phaseId === id && gate.gateKey === PROBES_GATE);
}
