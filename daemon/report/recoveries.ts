import { counted } from '../../schemas/text/phrases.ts';
import { isInIteration } from '../core/run/iterations.ts';
import { attemptsOf } from '../core/run/query.ts';
import { sentence } from './causes.ts';
import type { ReportSubject } from './subject.ts';

/** Sentences, without markup, on what went wrong and was recovered. */
export function recoveriesOf({ run, events }: Pick<ReportSubject, 'run' | 'events'>): string[] {
  const sessions = run.sessions
    .map(({ roleId, recoveryAttempts, renewals }) => ({ roleId, recoveries: recoveryAttempts - renewals }))
    .filter(({ recoveries }) => recoveries > 0)
    .map(({ roleId, recoveries }) => `The session of ${roleId} was recovered ${times(recoveries)}.`);
  // An iteration is an attempt that nothing went wrong in.
  const iterations = Math.max(1, run.iterations.length);
  const phases = run.phases
    .filter((phase) => attemptsOf(phase) > (isInIteration(run, phase) ? iterations : 1))
    .map((phase) => `Phase ${phase.key} took ${counted(attemptsOf(phase), 'attempt')}.`);
  const assignments = run.phases.flatMap((phase) =>
    phase.assignments
      .filter(({ attempt }, _, { length }) => length > 1 && attempt > phase.attempts)
      .map(({ key, attempt }) => `${key} took ${counted(attempt, 'attempt')} in phase ${phase.key}.`),
  );
  const invalid = run.artifacts.filter(({ valid }) => !valid).length;
  const repairs = invalid > 0 ? [`${counted(invalid, 'artifact was', 'artifacts were')} refused as invalid.`] : [];
  const pauses = run.pauses > 0 ? [`The run was paused ${times(run.pauses)}.`] : [];
  return [...sessions, ...phases, ...assignments, ...repairs, ...pauses, ...resumes(events)];
}

/** Only a resume by a person has a reason. */
function resumes(events: ReportSubject['events']): string[] {
  return events.flatMap((event) => {
    const reason = event.type === 'run.resumed' ? event.payload.reason : undefined;
    return reason ? [`You resumed the run at ${event.ts}: ${sentence(reason)}`] : [];
  });
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
