import { stepPhase } from '../machines/phase.ts';
import type { Phase, Run } from './state.ts';

/** The phases after a phase that begins again must run again too. */
export function resetPhasesAfter(run: Run, seq: number): Run {
  return resetPhases(run, (phase) => phase.seq > seq && phase.state !== 'skipped');
}

/** The phases that `which` picks must run again. */
export function resetPhases(run: Run, which: (phase: Phase) => boolean): Run {
  const phases = run.phases.map((phase): Phase => {
    if (phase.state === 'pending' || !which(phase)) return phase;
    return { ...phase, state: stepPhase(phase.state, 'pending'), endedAt: null };
  });
  return { ...run, phases };
}
