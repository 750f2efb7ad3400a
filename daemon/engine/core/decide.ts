import { isTerminal } from '../../../schemas/enums.ts';
import type { Effect, SessionStart } from './effect.ts';
import { inputsOf } from './inputs.ts';
import { needsWorktree } from './needsWorktree.ts';
import { artifactPaths, envelopeFor } from './prompt.ts';
import { bindsWorktree } from './run/behaviour.ts';
import {
  commandsStarted,
  currentPhase,
  definitionOf,
  dueRecovery,
  isBroken,
  lastCommit,
  nextGate,
  openApproval,
  sessionOf,
} from './run/query.ts';
import type { Assignment, Phase, Run, Session } from './run/state.ts';

/**
 * The effects that must be running in this state. The interpreter starts new effects, aborts those no longer in the set, and
 * calls this again after every event. Pure and total, so it gives the same answer after a crash.
 */
export function decide(run: Run): Effect[] {
  if (isTerminal(run.state)) return finalEffects(run);
  if (run.state === 'created') return [{ type: 'lockBindings', runId: run.id, key: `lockBindings:${run.id}` }];
  if (run.state === 'paused') return effectsWhilePaused(run);
  if (run.state === 'awaiting_approval') return gateTimer(run);
  const phase = currentPhase(run);
  if (!phase) return [];
  if (needsWorktree(run, phase)) return [inspectWorktree(run, phase)];
  return definitionOf(run, phase).kind === 'command' ? commandEffects(run, phase) : agentEffects(run, phase);
}

function finalEffects(run: Run): Effect[] {
  if (run.reportPath) return [];
  const sessions = run.sessions.map(({ id: sessionId, backend }) => ({ sessionId, backend }));
  return [
    { type: 'disposeSessions', runId: run.id, key: `disposeSessions:${run.id}`, sessions },
    { type: 'composeReport', runId: run.id, key: `composeReport:${run.id}` },
  ];
}

/** A pause starts no effect, but it does not kill a running command. */
function effectsWhilePaused(run: Run): Effect[] {
  const phase = currentPhase(run);
  return phase && definitionOf(run, phase).kind === 'command' ? commandEffects(run, phase) : [];
}

function gateTimer(run: Run): Effect[] {
  const approval = openApproval(run);
  if (approval?.state !== 'pending' || approval.timeoutMs === null) return [];
  const { id, pendingSince, timeoutMs } = approval;
  const key = `expireApproval:${id}:${pendingSince}`;
  return [{ type: 'expireApproval', runId: run.id, key, approvalRequestId: id, since: pendingSince, timeoutMs }];
}

function commandEffects(run: Run, phase: Phase): Effect[] {
  return commandsStarted(run, phase)
    .filter((command) => command.state === 'started')
    .map(({ id, kind, argv, cwd, stdoutPath, startedAt, timeoutMs, index }) => ({
      type: 'runCommand',
      runId: run.id,
      key: `runCommand:${id}`,
      phaseId: phase.id,
      commandId: id,
      kind,
      argv,
      cwd,
      dir: stdoutPath.slice(0, stdoutPath.lastIndexOf('/')),
      startedAt,
      timeoutMs,
      from:
        index === 0 && phase.from && run.branch
          ? { approved: phase.from, repoPath: run.repoPath, branch: run.branch }
          : null,
    }));
}

function agentEffects(run: Run, phase: Phase): Effect[] {
  if (phase.state === 'validating')
    return phase.assignments.every((assignment) => assignment.status === 'validated') ? [commitWork(run, phase)] : [];
  if (phase.state !== 'running' && phase.state !== 'awaiting_artifact') return [];
  return phase.assignments.flatMap((assignment) => {
    const session = sessionOf(run, assignment.sessionId);
    return session ? assignmentEffects(run, phase, assignment, session) : [];
  });
}

function assignmentEffects(run: Run, phase: Phase, assignment: Assignment, session: Session): Effect[] {
  if (assignment.status === 'validated' || assignment.status === 'invalid') return [];
  const start = sessionStart(run, session);
  if (session.state === 'BOOTSTRAPPING') {
    // The attempt is part of the key, so that a retry after a failed start is a new effect.
    const key = `startSession:${session.id}:${assignment.attempt}`;
    return [{ type: 'startSession', runId: run.id, key, session: start }];
  }
  if (isBroken(session)) {
    const how = dueRecovery(session);
    const key = `recoverSession:${session.id}:${session.recoveryAttempts}:${assignment.attempt}`;
    return how ? [{ type: 'recoverSession', runId: run.id, key, session: start, how }] : [];
  }
  if (session.renews) {
    const key = `renewSession:${session.id}:${session.recoveryAttempts}`;
    return [{ type: 'recoverSession', runId: run.id, key, session: start, how: 'rebootstrap' }];
  }
  return [
    assignment.status === 'to_prompt'
      ? sendPrompt(run, phase, assignment, start)
      : awaitArtifact(run, phase, assignment, session),
  ];
}

function sendPrompt(run: Run, phase: Phase, assignment: Assignment, session: SessionStart): Effect {
  const envelope = envelopeFor(run, phase, assignment);
  const key = `sendPrompt:${session.sessionId}:${envelope.dedupKey}:${session.recoveryAttempts}`;
  const repair = assignment.repair !== null;
  const inputs = inputsOf(run, phase);
  return { type: 'sendPrompt', runId: run.id, key, session, phaseId: phase.id, envelope, repair, inputs };
}

/**
 * devflow also waits for the file of a stalled agent, which may have written it before the stall. A stall stops the deadline.
 * An idle agent has an earlier deadline.
 */
function awaitArtifact(run: Run, phase: Phase, assignment: Assignment, session: Session): Effect {
  const prompt = assignment.prompt ?? { dedupKey: '', path: '', schema: '', since: run.updatedAt, timeoutMs: 1 };
  return {
    type: 'awaitArtifact',
    runId: run.id,
    key: `awaitArtifact:${phase.id}:${prompt.path}:${prompt.since}${session.stall ? `:stalled:${session.stalls}` : ''}`,
    session: sessionStart(run, session),
    phaseId: phase.id,
    roleId: assignment.roleId,
    attempt: assignment.attempt,
    path: prompt.path,
    storedPath: artifactPaths(run, phase, assignment).storedPath,
    schema: prompt.schema,
    since: prompt.since,
    timeoutMs: timeLeft(run, session, prompt),
  };
}

function timeLeft(
  run: Run,
  { stall }: Session,
  { since, timeoutMs }: NonNullable<Assignment['prompt']>,
): number | null {
  if (!stall) return timeoutMs;
  if (stall.cause !== 'idle') return null;
  const { idleTimeoutMs } = run.options;
  if (idleTimeoutMs === undefined) return timeoutMs;
  // If the agent went idle during a pause, the whole idle time-out starts when the run resumes.
  const idleAfterMs = Math.max(0, Date.parse(stall.since) - Date.parse(since));
  return Math.min(timeoutMs, idleAfterMs + idleTimeoutMs);
}

function commitWork(run: Run, phase: Phase): Effect {
  return {
    type: 'commitWork',
    runId: run.id,
    key: `commitWork:${phase.id}:${phase.attempts}`,
    phaseId: phase.id,
    phaseKey: phase.key,
    attempt: phase.attempts,
    lane: { repoPath: run.repoPath, path: run.worktreeRoot, branch: run.branch ?? `devflow/${run.id}/main` },
    since: lastCommit(run) ?? run.baseCommit,
    title: definitionOf(run, phase).title,
    bindsWorktree: bindsWorktree(run) && run.branch !== null,
    hasGate: nextGate(run, phase) !== undefined,
  };
}

function inspectWorktree(run: Run, phase: Phase): Effect {
  const { id: phaseId, attempts, state, gatesPassed } = phase;
  return {
    type: 'inspectWorktree',
    runId: run.id,
    key: `inspectWorktree:${phaseId}:${attempts}:${state}:${gatesPassed.length}`,
    phaseId,
    repoPath: run.repoPath,
    worktree: run.worktreeRoot,
    branch: run.branch ?? '',
    lastKnown: lastCommit(run) ?? run.baseCommit,
  };
}

/** What a performer needs to start or adopt the agent of a session. */
export function sessionStart(run: Run, session: Session): SessionStart {
  const binding = run.bindings.find((candidate) => candidate.roleId === session.roleId);
  if (!binding) throw new TypeError(`role ${session.roleId} of session ${session.id} is not bound`);
  const { id: sessionId, roleId, backend, cwd, recoveryAttempts } = session;
  return { sessionId, runId: run.id, repoPath: run.repoPath, roleId, backend, cwd, binding, recoveryAttempts };
}
