import { isTerminal } from '../../../schemas/enums.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { commandOutputDir } from '../../../schemas/files/runPaths.ts';
import { sessionState } from '../../../schemas/states/session.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import { requestAgentGates } from './gates/agentGate.ts';
import { escalate } from './gates/escalate.ts';
import { gateRequest } from './gates/gate.ts';
import { SEND_BUDGET } from './machines/session.ts';
import { hasNothingToDo, needsWorktree } from './needsWorktree.ts';
import { commandId } from './run/keys.ts';
import {
  commandsOf,
  commandsStarted,
  currentPhase,
  definitionOf,
  dueRecovery,
  isBroken,
  nextGate,
  sessionOf,
} from './run/query.ts';
import type { Assignment, Phase, Run, Session } from './run/state.ts';

/**
 * The events that follow from the state alone: a phase starts, a gate opens, the run ends. Call it until it returns none.
 * Nothing follows while the run is paused or waits at a gate.
 */
export function deriveEvents(run: Run): NewEvent[] {
  if (isTerminal(run.state) || ['created', 'paused', 'awaiting_approval'].includes(run.state)) return [];
  const phase = currentPhase(run);
  if (!phase) return [{ type: 'run.completed', phaseId: null, payload: {} }];
  if (needsWorktree(run, phase)) return [];
  if (phase.state === 'pending') return [beginPhase(run, phase)];
  if (phase.state === 'awaiting_approval') return [passGate(run, phase)];
  return definitionOf(run, phase).kind === 'command'
    ? deriveFromCommands(run, phase)
    : deriveFromAssignments(run, phase);
}

/** The first event of a phase attempt. */
export function beginPhase(run: Run, phase: Phase): NewEvent {
  const attempt = phase.attempts + 1;
  if (hasNothingToDo(run, phase)) {
    return { type: 'phase.skipped', phaseId: phase.id, payload: { attempt, reason: 'no commands and no gate' } };
  }
  return {
    type: 'phase.started',
    phaseId: phase.id,
    payload: { attempt, cause: attempt === 1 ? 'first' : 'changes_requested' },
  };
}

/** Opens the next gate of the phase, or completes the phase after its last gate. */
function passGate(run: Run, phase: Phase): NewEvent {
  const gate = nextGate(run, phase);
  return gate === undefined ? completed(phase) : gateRequest(run, phase, gate, phase.work);
}

function completed(phase: Phase): NewEvent {
  return { type: 'phase.completed', phaseId: phase.id, payload: { attempt: phase.attempts, work: phase.work } };
}

function deriveFromAssignments(run: Run, phase: Phase): NewEvent[] {
  const missing = phase.assignments.filter((assignment) => !sessionOf(run, assignment.sessionId));
  if (missing.length > 0) {
    return missing.map(({ sessionId, roleId }) => ({
      type: 'session.created',
      phaseId: phase.id,
      payload: { sessionId, roleId, backend: backendOf(run, roleId), cwd: run.worktreeRoot },
    }));
  }
  const invalid = phase.assignments.find((assignment) => assignment.status === 'invalid');
  if (invalid) {
    const artifact = run.artifacts.findLast((candidate) => candidate.phaseId === phase.id && !candidate.valid);
    const faults = artifact?.errors?.map((error) => `${error.path || '/'} ${error.message}`).join('; ') ?? '';
    const reason = `the artifact of ${invalid.roleId} is still invalid after the repair prompt: ${faults}`;
    return escalate(run, phase, { code: 'artifact_invalid_after_repair', reason });
  }
  // devflow cannot see a log-in: the agent stays idle after a failed turn. A person must approve a retry.
  const loggedOut = phase.assignments
    .filter((assignment) => assignment.status === 'prompted')
    .map((assignment) => sessionOf(run, assignment.sessionId))
    .find((session) => session?.stall?.cause === 'login');
  if (loggedOut) return escalate(run, phase, mustLogIn(loggedOut));
  const failing = phase.assignments
    .filter((assignment) => assignment.status === 'prompted' && assignment.errors >= SEND_BUDGET)
    .find((assignment) => sessionOf(run, assignment.sessionId)?.stall?.cause === 'error');
  if (failing) return escalate(run, phase, failsRepeatedly(run, failing));
  const lost = phase.assignments
    .filter((assignment) => assignment.status !== 'validated')
    .map((assignment) => sessionOf(run, assignment.sessionId))
    .find((session) => session && isBroken(session) && !dueRecovery(session));
  if (!lost) return requestAgentGates(run, phase);
  const code = lost.state === 'ARTIFACT_TIMEOUT' ? 'artifact_timeout_exhausted' : 'session_exhausted';
  const reason = `${lost.roleId} (${lost.backend}) could not be recovered: ${lost.failure?.reason ?? sessionState(lost.state).word}`;
  return escalate(run, phase, { code, reason, session: lost });
}

/** The session is not broken: no recovery is counted, and the next attempt uses it unchanged. */
function mustLogIn({ id: sessionId, roleId, backend, stall }: Session) {
  return {
    code: 'backend_login_required' as const,
    reason: `${roleId} (${backend}) ${STALLS.login.word}: ${stall?.detail ?? ''}`,
    hint: `Log in in its pane (devflow attach ${sessionId.slice(0, 8)}), then approve to try again.`,
    sessionId,
  };
}

/** The backend fails, not the session. A pause can add a failed turn that was not asked for again. */
function failsRepeatedly(run: Run, { roleId, sessionId, errors }: Assignment) {
  const last = sessionOf(run, sessionId)?.stall?.detail ?? '';
  const reason = `${roleId} (${backendOf(run, roleId)}) ended ${errors + 1} turns with an error; last error: ${last}`;
  return { code: 'backend_failing' as const, reason, sessionId };
}

function backendOf(run: Run, roleId: string) {
  const binding = run.bindings.find((candidate) => candidate.roleId === roleId);
  if (!binding) throw new TypeError(`role ${roleId} is not bound`);
  return binding.backend;
}

function deriveFromCommands(run: Run, phase: Phase): NewEvent[] {
  if (phase.state !== 'running') return [];
  const started = commandsStarted(run, phase);
  if (started.some((command) => command.state === 'started')) return [];
  const wanted = commandsOf(run, phase);
  const next = wanted[started.length];
  if (next) {
    const id = commandId(phase, started.length);
    const dir = commandOutputDir(run.workspaceRoot, run.id);
    const files = { stdoutPath: `${dir}/${id}.out`, stderrPath: `${dir}/${id}.err` };
    const payload = {
      commandId: id,
      attempt: phase.attempts,
      index: started.length,
      ...next,
      cwd: run.worktreeRoot,
      ...files,
    };
    return [{ type: 'command.started', phaseId: phase.id, payload }];
  }
  const gate = nextGate(run, phase);
  // With a gate, a person sees the failure there and decides.
  if (gate !== undefined) return [gateRequest(run, phase, gate, null)];
  const failed = started.find((command) => command.state === 'failed');
  if (!failed) return [completed(phase)];
  return escalate(run, phase, { code: 'command_failed', reason: `${failed.argv.join(' ')}: ${failed.reason}` });
}
