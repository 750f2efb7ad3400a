import { defined } from '../../../schemas/defined.ts';
import { rightsDir } from '../../../schemas/files/runPaths.ts';
import { answersPath } from '../comments/answersAsked.ts';
import type { Effect, EffectOf, SessionStart } from '../effect/effect.ts';
import { isWaitedFor } from '../gates/turnGate.ts';
import { placeOf } from '../run/lanes.ts';
import { ledPhaseOf } from '../run/led.ts';
import { dueRecovery, getBinding, isBroken, isDue, sessionOf } from '../run/query.ts';
import { agentSandbox } from '../run/sandboxOf.ts';
import { setupCheck } from '../run/setupCheck.ts';
import { laneEnvironment } from '../run/setupEnvironment.ts';
import type { Assignment, Phase, Run, Session } from '../run/state.ts';
import { runTitle } from '../run/title.ts';
import { editedInput, inputsOf } from './inputs.ts';
import { envelopeFor } from './prompt.ts';
import { artifactPaths, type Request } from './request.ts';

/** The effects of one assignment: its agent starts, recovers, gets the prompt, or works on the artifact. */
export function assignmentEffects(run: Run, phase: Phase, assignment: Assignment, request: Request): Effect[] {
  if (!isDue(assignment)) return [];
  const session = sessionOf(run, assignment.sessionId);
  if (!session) return [];
  // The attempt is part of the keys, so that a retry after a failed start is a new effect.
  const first = agentFirst(run, session, `${assignment.attempt}`);
  if (first.length > 0 || isBroken(session)) return first;
  return [
    assignment.status === 'to_prompt'
      ? sendPrompt(run, phase, assignment, request, sessionStart(run, session))
      : awaitArtifact(run, phase, assignment, request, session),
  ];
}

/** What the agent needs before it can take a text: it starts, recovers, or begins a new conversation. */
export function agentFirst(run: Run, session: Session, suffix: string): Effect[] {
  const start = sessionStart(run, session);
  if (session.state === 'BOOTSTRAPPING') {
    const key = `startSession:${session.id}:${suffix}`;
    return [{ type: 'startSession', runId: run.id, key, session: start }];
  }
  if (isBroken(session)) {
    const how = dueRecovery(session);
    const key = `recoverSession:${session.id}:${session.recoveryAttempts}:${suffix}`;
    return how ? [{ type: 'recoverSession', runId: run.id, key, session: start, how }] : [];
  }
  if (!session.renews) return [];
  const key = `renewSession:${session.id}:${session.recoveryAttempts}`;
  return [{ type: 'recoverSession', runId: run.id, key, session: start, how: 'rebootstrap' }];
}

function sendPrompt(run: Run, phase: Phase, assignment: Assignment, request: Request, session: SessionStart): Effect {
  const envelope = envelopeFor(run, phase, assignment, request);
  const { settled } = assignment;
  const answer = settled?.recoveryAttempts === session.recoveryAttempts ? settled : null;
  const suffix = answer ? `:settled:${answer.nth}` : '';
  const key = `sendPrompt:${session.sessionId}:${envelope.dedupKey}:${session.recoveryAttempts}${suffix}`;
  const repair = assignment.repair !== null;
  const edited = editedInput(run, phase, assignment);
  const inputs = [...inputsOf(run, request, assignment.laneId), ...(edited ? [edited] : [])];
  const facts = { session, phaseId: phase.id, envelope, repair, inputs };
  return {
    type: 'sendPrompt',
    runId: run.id,
    key,
    ...facts,
    ...defined({ assumeTaken: answer?.taken, answer: answer?.nth }),
    ...setupCheck(run, assignment.laneId),
  };
}

/**
 * devflow also waits for the file of a stalled agent, which may have written it before the stall. A stall stops the deadline.
 * An idle agent has an earlier deadline.
 */
function awaitArtifact(run: Run, phase: Phase, assignment: Assignment, request: Request, session: Session): Effect {
  const prompt = assignment.prompt ?? { dedupKey: '', path: '', schema: '', since: run.updatedAt, timeoutMs: 1 };
  return {
    type: 'awaitArtifact',
    runId: run.id,
    key: `awaitArtifact:${phase.id}:${prompt.path}:${prompt.since}${session.stall ? `:stalled:${session.stalls}` : ''}`,
    session: sessionStart(run, session),
    phaseId: phase.id,
    roleId: assignment.roleId,
    assignment: assignment.key,
    attempt: assignment.attempt,
    path: prompt.path,
    storedPath: artifactPaths(run, phase, assignment, request).storedPath,
    schema: prompt.schema,
    wantsData: request.wantsData ?? false,
    ...defined({ review: request.review, facts: request.facts, answers: answersIn(assignment, prompt.path, session) }),
    since: prompt.since,
    timeoutMs: timeLeft(run, session, prompt),
  };
}

/** The file with answers to comments, and the comments; undefined without any. */
function answersIn(
  { comments }: Assignment,
  artifactPath: string,
  { stall }: Session,
): EffectOf<'awaitArtifact'>['answers'] {
  if (comments.length === 0) return undefined;
  return { path: answersPath(artifactPath), comments, isTurnOver: stall?.cause === 'idle' };
}

function timeLeft(run: Run, session: Session, { since, timeoutMs }: NonNullable<Assignment['prompt']>): number | null {
  const { stall } = session;
  if (!stall) return timeoutMs;
  if (stall.cause !== 'idle') return null;
  if (isWaitedFor(run, session)) return timeoutMs;
  const { idleTimeoutMs } = run.options;
  if (idleTimeoutMs === undefined) return timeoutMs;
  // If the agent went idle during a pause, the whole idle time-out starts when the run resumes.
  const idleAfterMs = Math.max(0, Date.parse(stall.since) - Date.parse(since));
  return Math.min(timeoutMs, idleAfterMs + idleTimeoutMs);
}

export function sessionStart(run: Run, session: Session): SessionStart {
  const binding = getBinding(run, session.roleId);
  const { id: sessionId, roleId, laneId, backend, cwd, recoveryAttempts } = session;
  const lane = placeOf(run, laneId);
  const where = { repoPath: run.repoPath, lane, cwd };
  const env = run.setup ? laneEnvironment(run, laneId) : undefined;
  const { agentRights: allowed, baseCommit } = run;
  const rights = allowed ? { allowed, baseCommit, directory: rightsDir(run.workspaceRoot, run.id) } : undefined;
  const isLed = ledPhaseOf(run, sessionId) ? (true as const) : undefined;
  const more = { ...defined({ env, rights, wrap: run.wrap ?? undefined, isLed }), ...agentSandbox(run, laneId) };
  const who = { sessionId, runId: run.id, roleId, title: runTitle(run), laneId };
  return { ...who, ...where, backend, binding, recoveryAttempts, ...more };
}
