import type { NewEvent } from '../../../schemas/events/index.ts';
import { decide } from './decide.ts';
import { closeCommands, failRun } from './endRun.ts';
import { escalate } from './gates/escalate.ts';
import { keepsFailuresLocal } from './run/behaviour.ts';
import type { Effect, OutcomeOf } from './run/effect.ts';
import { currentPhase, isDue, isFrozen } from './run/query.ts';
import type { Assignment, Phase, Run } from './run/state.ts';
import { escalateAtStart } from './worktreeOutcomes.ts';

/** A failure that retries did not fix. A fatal error ends the run; any other opens a recovery gate. */
export function effectFailed(run: Run, { key, error }: OutcomeOf<'effectFailed'>): NewEvent[] {
  const effect = decide(run).find((candidate) => candidate.key === key);
  // A gate without its timer still waits for a person, without a time-out.
  if (!effect || effect.type === 'expireApproval') return [];
  const closed = effect.type === 'runCommand' ? closeCommands(run, error.message, effect.commandId) : [];
  const phase = currentPhase(run);
  if (phase?.state === 'pending' && effect.type === 'inspectWorktree' && error.class !== 'fatal') {
    return escalateAtStart(run, phase, { code: error.code, reason: error.message, hint: error.hint });
  }
  const active = phase && !['pending', 'failed'].includes(phase.state) ? phase : undefined;
  // Only commands run during a pause. Record the failure now; its consequences follow when the run resumes.
  if (isFrozen(run) && error.class !== 'fatal') return closed;
  if (active && error.class !== 'fatal') {
    const failure = { code: error.code, reason: error.message, hint: error.hint };
    return [...closed, ...escalate(run, active, failure, assignmentOf(run, active, effect))];
  }
  return [...closed, ...failRun(active, error)];
}

/** The assignment that an effect serves; undefined if it serves the phase. */
function assignmentOf(run: Run, phase: Phase, effect: Effect): Assignment | undefined {
  if (!keepsFailuresLocal(run) || !('session' in effect)) return undefined;
  const { sessionId } = effect.session;
  return phase.assignments.find((assignment) => assignment.sessionId === sessionId && isDue(assignment));
}
