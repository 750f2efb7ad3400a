import { recoveriesUsed } from '../../../../daemon/core/run/query.ts';
import { setupCommands } from '../../../../daemon/core/run/setupOf.ts';
import type { Lane, Run, Session } from '../../../../daemon/core/run/state.ts';

/**
 * What distinguishes two states: all that a decision depends on. Not ids, times, paths or counts of attempts, and not which
 * of two equal agents it is.
 */
export function canonical(run: Run): string {
  const phases = run.phases.map(({ id, state, attempts, gatesPassed }) => {
    const commands = run.commands.filter((c) => c.phaseId === id && c.attempt === attempts && c.kind !== 'setup');
    return `${state} ${gatesPassed.length} ${commands.map((command) => command.state)}`;
  });
  // The gates of agents follow from their stalls, those of assignments from their states.
  const gates = run.approvals.flatMap(({ kind, gateKey, state, assignment }) =>
    kind !== 'agent' && assignment === null && (state === 'pending' || state === 'paused')
      ? [`${gateKey} ${state}`]
      : [],
  );
  const seats = run.bindings.map(({ role, roleId }) => `${role}: ${seatOf(run, roleId)}`);
  const lanes = run.lanes.map((lane) => setupOf(run, lane));
  return [run.state, run.pausedFrom, run.decided !== null, ...phases, ...gates, ...seats.sort(), ...lanes].join('\n');
}

function setupOf(run: Run, { id, setup }: Lane): string {
  if (!setup) return '';
  const commands = setupCommands(run, id, setup.nth).map(({ state }) => state);
  return `${setup.state} ${setup.commands.length} ${commands} ${Math.min(setup.inRow, 3)}`;
}

/** One role instance: its assignments in all phases, and its session. */
function seatOf(run: Run, roleId: string): string {
  const works = run.phases.map(({ attempts, assignments }) => {
    const own = assignments.find((each) => each.roleId === roleId);
    if (!own) return '';
    const { status, repairsUsed, repair, resend, attempt, errors } = own;
    const isNewest = run.behaviour >= 3 || attempt === attempts;
    return `${status} ${repairsUsed} ${repair !== null} ${resend} ${isNewest} ${Math.min(errors, 2)}`;
  });
  const session = run.sessions.find((each) => each.roleId === roleId);
  if (!session) return works.join();
  const used = Math.min(recoveriesUsed(session), 4);
  return `${works} ${session.state} ${used} ${session.failedBefore} ${stallOf(session)}`;
}

/** For the core the three kinds of questions are equal. For an agent without work, every stall is only a delay. */
function stallOf({ stall, state }: Session): string | null {
  if (!stall || ['quota', 'error', 'idle', 'login'].includes(stall.cause)) return stall?.cause ?? null;
  return state === 'BUSY' || state === 'WAITING_FOR_APPROVAL' ? state : 'held up';
}
