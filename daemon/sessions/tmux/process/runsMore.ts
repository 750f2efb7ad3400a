import { startTimeOf } from '../../../../tmux/process/processes.ts';
import { laterProcesses, type Session } from './laterProcesses.ts';

/**
 * True if a process of the session runs that did not start together with its program. Without /proc it is not known, and the
 * answer is true.
 */
export function runsMore(session: Session): boolean {
  if (process.platform !== 'linux' || startTimeOf(session.leader) === undefined) return true;
  return !laterProcesses(session).next().done;
}
