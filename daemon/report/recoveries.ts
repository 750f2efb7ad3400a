import type { Run } from '../engine/core/state.ts';

/** What went wrong on the way and was mended, in sentences without markup. */
export function recoveriesOf(run: Run): string[] {
  const sessions = run.sessions
    .filter(({ recoveryAttempts }) => recoveryAttempts > 0)
    .map(({ roleId, recoveryAttempts }) => `The session of ${roleId} was recovered ${times(recoveryAttempts)}.`);
  const phases = run.phases
    .filter(({ attempts }) => attempts > 1)
    .map(({ key, attempts }) => `Phase ${key} took ${attempts} attempts.`);
  const invalid = run.artifacts.filter(({ valid }) => !valid).length;
  const repairs =
    invalid > 0 ? [`${invalid === 1 ? '1 artifact was' : `${invalid} artifacts were`} refused as invalid.`] : [];
  const pauses = run.pauses > 0 ? [`The run was paused ${times(run.pauses)}.`] : [];
  return [...sessions, ...phases, ...repairs, ...pauses];
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
