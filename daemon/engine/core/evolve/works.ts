import { stepPhase } from '../machines/phase.ts';
import { stateOfWorks } from '../query.ts';
import type { Phase, Run, Work } from '../state.ts';
import { patchWorks } from './patch.ts';

/** Changes the works of a phase that `which` picks, and moves the phase to where its works now stand. */
export function moveWorks(phase: Phase, which: (work: Work) => boolean, change: (work: Work) => Partial<Work>): Phase {
  const works = patchWorks(phase, which, change);
  const state = stateOfWorks(works);
  return { ...phase, works, state: state === phase.state ? state : stepPhase(phase.state, state) };
}

/** The session's prompt led to nothing: it is to be sent again, as the phase's next attempt. */
export function resendWork(run: Run, sessionId: string, resend: NonNullable<Work['resend']>): Run {
  const isLost = (work: Work) => work.sessionId === sessionId && work.status === 'prompted';
  return {
    ...run,
    phases: run.phases.map((phase) => {
      if (!phase.works.some(isLost) || (phase.state !== 'awaiting_artifact' && phase.state !== 'running')) return phase;
      const attempt = phase.attempts + 1;
      const next = moveWorks(phase, isLost, ({ errors }) => ({
        ...{ status: 'to_prompt', attempt, resend, prompt: null },
        errors: resend === 'error' ? errors + 1 : errors,
      }));
      return { ...next, attempts: attempt };
    }),
  };
}
