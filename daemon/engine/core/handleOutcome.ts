import { isTerminal } from '../../../schemas/enums.ts';
import type { ErrorCode } from '../../../schemas/errors.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import { STALLS } from '../../../schemas/states/stall.ts';
import { decide } from './decide.ts';
import { beginPhase } from './deriveEvents.ts';
import type { Outcome } from './effect.ts';
import { closeCommands, failRun } from './endRun.ts';
import { inputHash } from './evolve/evolve.ts';
import { escalate } from './gates/escalate.ts';
import { gateRequest } from './gates/gate.ts';
import { nestedGate } from './gates/nestedGate.ts';
import { envelopeFor } from './prompt.ts';
import { artifactId } from './run/keys.ts';
import { currentPhase, dueRecovery, isAtWork, isBroken, nextGate, sessionOf } from './run/query.ts';
import type { Assignment, Phase, Run, Session } from './run/state.ts';
import { describeChange, isSameWorktree } from './run/worktreeState.ts';

/**
 * The events that follow from an outcome. A late outcome (the run was aborted, the attempt is over, the fact is in the log)
 * causes no event and is not an error.
 */
export function handleOutcome(run: Run, outcome: Outcome): NewEvent[] {
  if (isTerminal(run.state)) return [];
  switch (outcome.type) {
    case 'bindingsLocked':
      return bindingsLocked(run, outcome);
    case 'sessionReady':
      return sessionReady(run, sessionOf(run, outcome.sessionId));
    case 'sessionLost':
      return sessionLost(run, sessionOf(run, outcome.sessionId), outcome);
    case 'promptDelivered':
      return promptDelivered(run, outcome);
    case 'artifactFound':
      return artifactFound(run, outcome);
    case 'artifactTimedOut':
      return artifactTimedOut(run, outcome);
    case 'sessionStalled':
      return sessionStalled(run, sessionOf(run, outcome.sessionId), outcome);
    case 'sessionRecovered':
      return sessionRecovered(sessionOf(run, outcome.sessionId), outcome);
    case 'workCommitted':
      return workCommitted(run, outcome);
    case 'worktreeRead':
      return worktreeRead(run, outcome);
    case 'worktreeMoved':
      return worktreeMoved(run, outcome);
    case 'commandEnded':
      return commandEnded(run, outcome);
    case 'approvalExpired':
      return approvalExpired(run, outcome);
    case 'effectFailed':
      return effectFailed(run, outcome);
    default:
      return outcome satisfies never;
  }
}

type OutcomeOf<T extends Outcome['type']> = Extract<Outcome, { type: T }>;

function bindingsLocked(run: Run, { bindings, branch }: OutcomeOf<'bindingsLocked'>): NewEvent[] {
  if (run.state !== 'created') return [];
  const { templateHash, requirementsMd, objective, repoPath, baseBranch, extra } = run;
  const hashes = bindings.map((binding) => binding.bindingHash);
  const subject = { templateHash, bindings: hashes, requirementsMd, objective, repoPath, baseBranch, extra };
  return [{ type: 'run.started', phaseId: null, payload: { bindings, inputHash: inputHash(subject), branch } }];
}

function sessionReady(run: Run, session: Session | undefined): NewEvent[] {
  if (session?.state !== 'BOOTSTRAPPING') return [];
  const { id: sessionId, recoveryAttempts } = session;
  return [{ type: 'session.ready', phaseId: currentPhase(run)?.id ?? null, payload: { sessionId, recoveryAttempts } }];
}

/** The session died, or its recovery failed. The counters of the session say what is due next. */
function sessionLost(run: Run, session: Session | undefined, outcome: OutcomeOf<'sessionLost'>): NewEvent[] {
  const { error, recoveryAttempts: seen } = outcome;
  if (!session) return [];
  // This death is already counted.
  if (seen === undefined ? isBroken(session) : seen !== session.recoveryAttempts) return [];
  // The session has no recovery left, and nobody has approved a retry yet.
  if (session.state === 'FAILED_NEEDS_HUMAN' && currentPhase(run)?.state !== 'running') return [];
  return [crash(session, error.code, error.message)];
}

/** The assignment of the current phase that `which` picks; none after the attempt has failed. */
function findAssignment(
  run: Run,
  which: (assignment: Assignment) => boolean,
): { phase: Phase; assignment: Assignment } | undefined {
  const phase = currentPhase(run);
  if (phase?.state !== 'running' && phase?.state !== 'awaiting_artifact') return undefined;
  const assignment = phase.assignments.find(which);
  return phase && assignment ? { phase, assignment } : undefined;
}

function promptDelivered(run: Run, outcome: OutcomeOf<'promptDelivered'>): NewEvent[] {
  const { sessionId, recoveryAttempts, envelope, promptId, repair, takerEnded, changedInputs = [] } = outcome;
  const found = findAssignment(
    run,
    (assignment) => assignment.sessionId === sessionId && assignment.status === 'to_prompt',
  );
  const session = sessionOf(run, sessionId);
  // A delivery to a lost session does not count: devflow sends the prompt again after the recovery.
  if (!found || !session || !(session.state === 'READY' || isAtWork(session))) return [];
  // devflow has replaced the agent that took the prompt.
  if (recoveryAttempts !== session.recoveryAttempts) return [];
  const { phase } = found;
  if (envelopeFor(run, phase, found.assignment).dedupKey !== envelope.dedupKey) return [];
  const { dedupKey, roleId, attempt, expectedArtifact, expectedSchema } = envelope;
  const timeoutMs = run.template.phases.find((p) => p.key === phase.key)?.timeoutMs ?? run.options.artifactTimeoutMs;
  const changed = changedInputs.length > 0 ? { changedInputs } : {};
  const sent = { dedupKey, promptId, sessionId, roleId, attempt, expectedArtifact, expectedSchema, ...changed };
  const expected = { attempt, roleId, path: expectedArtifact, schema: expectedSchema, timeoutMs };
  return [
    ...closeStaleTurn(session, phase),
    { type: repair ? 'prompt.repaired' : 'prompt.sent', phaseId: phase.id, payload: sent },
    { type: 'artifact.expected', phaseId: phase.id, payload: expected },
    { type: 'session.busy', phaseId: phase.id, payload: { sessionId, dedupKey } },
    ...(takerEnded
      ? [crash(session, 'pane_briefly_unresponsive', 'The agent exited while it worked on the prompt.')]
      : []),
  ];
}

/** The session loses its prompt; devflow sends it again as the next attempt. */
function crash({ id: sessionId, recoveryAttempts }: Session, code: ErrorCode, reason: string): NewEvent {
  const payload = { sessionId, recoveryAttempts: recoveryAttempts + 1, code, reason };
  return { type: 'session.crashed', phaseId: null, payload };
}

/** A failed attempt can leave its session busy. A session that takes the next prompt is no longer busy. */
function closeStaleTurn(session: Session, phase: Phase): NewEvent[] {
  if (!isAtWork(session)) return [];
  const { id: sessionId, lastPromptHash } = session;
  return [{ type: 'session.idle', phaseId: phase.id, payload: { sessionId, dedupKey: lastPromptHash ?? '' } }];
}

function artifactFound(run: Run, outcome: OutcomeOf<'artifactFound'>): NewEvent[] {
  const { phaseId, roleId, path, schema, hash, verdict } = outcome;
  const found = findAssignment(
    run,
    (assignment) => assignment.status === 'prompted' && assignment.prompt?.path === path,
  );
  if (!found?.assignment.prompt) return [];
  const { attempt, sessionId, prompt } = found.assignment;
  const facts = { attempt, roleId, path, artifactId: artifactId(run.id, path, hash), schema, hash };
  const events: NewEvent[] = [
    verdict.valid
      ? { type: 'artifact.validated', phaseId, payload: { ...facts, storedPath: verdict.storedPath } }
      : { type: 'artifact.invalid', phaseId, payload: { ...facts, errors: verdict.errors } },
  ];
  const session = sessionOf(run, sessionId);
  if (session && isAtWork(session)) {
    events.push({ type: 'session.idle', phaseId, payload: { sessionId, dedupKey: prompt.dedupKey } });
  }
  return events;
}

function artifactTimedOut(run: Run, outcome: OutcomeOf<'artifactTimedOut'>): NewEvent[] {
  const { key, phaseId, roleId, sessionId, path } = outcome;
  // Since the deadline the run was paused, or the agent stalled or resumed. Then nothing timed out.
  if (!decide(run).some((effect) => effect.key === key)) return [];
  const found = findAssignment(
    run,
    (assignment) => assignment.status === 'prompted' && assignment.prompt?.path === path,
  );
  if (!found || sessionOf(run, sessionId)?.state !== 'BUSY') return [];
  return [
    { type: 'artifact.timeout', phaseId, payload: { attempt: found.assignment.attempt, roleId, path, sessionId } },
  ];
}

/** A stall is also recorded during a pause, so that the state stays true. */
function sessionStalled(run: Run, session: Session | undefined, outcome: OutcomeOf<'sessionStalled'>): NewEvent[] {
  if (!session) return [];
  const reported = outcome.stall;
  if (reported?.cause === 'hung' && !isAtWork(session)) return [];
  // For a session without a prompt, the end of a turn only clears the last stall.
  const stall = reported && STALLS[reported.cause].endsTurn && !isAtWork(session) ? null : reported;
  if (isSameStall(session.stall, stall)) return [];
  const payload = { sessionId: session.id, nth: session.stalls + 1, stall };
  return [{ type: 'run.stalled', phaseId: currentPhase(run)?.id ?? null, payload }];
}

function isSameStall(known: Session['stall'], reported: OutcomeOf<'sessionStalled'>['stall']): boolean {
  return known?.cause === reported?.cause && known?.detail === reported?.detail && known?.until === reported?.until;
}

function sessionRecovered(session: Session | undefined, outcome: OutcomeOf<'sessionRecovered'>): NewEvent[] {
  if (!session || !(session.renews || isBroken(session)) || !dueRecovery(session)) return [];
  // It resumed the old conversation, but a new one must start.
  if (session.renews && outcome.how === 'resume') return [];
  const { id: sessionId, recoveryAttempts } = session;
  const hint = outcome.hint === undefined ? {} : { hint: outcome.hint };
  const payload = { sessionId, recoveryAttempts, how: outcome.how, ...hint };
  return [{ type: 'session.recovered', phaseId: null, payload }];
}

function workCommitted(run: Run, { phaseId, attempt, work, worktree }: OutcomeOf<'workCommitted'>): NewEvent[] {
  const phase = currentPhase(run);
  if (run.state === 'paused' || phase?.id !== phaseId || phase.state !== 'validating' || phase.attempts !== attempt)
    return [];
  const nested = nestedGate(run, phase, work, worktree);
  if (nested) return [nested];
  const gate = nextGate(run, phase);
  if (gate !== undefined) return [gateRequest(run, phase, gate, work, worktree)];
  return [{ type: 'phase.completed', phaseId, payload: { attempt, work } }];
}

/** Opens a gate bound to this state, or starts the phase if the state is the approved one. */
function worktreeRead(run: Run, { key, worktree }: OutcomeOf<'worktreeRead'>): NewEvent[] {
  const phase = currentPhase(run);
  if (!phase || !decide(run).some((effect) => effect.key === key)) return [];
  const gate = nextGate(run, phase);
  if (phase.state !== 'pending') return gate === undefined ? [] : [gateRequest(run, phase, gate, phase.work, worktree)];
  if (run.decided && isSameWorktree(run.decided, worktree)) return [beginPhase(run, phase)];
  const reason = `${describeChange(run.decided, worktree)} after it was approved and before ${phase.key} started`;
  return escalateAtStart(run, phase, { code: 'changes_under_decision', reason, worktree });
}

/** Closes the command even during a pause. The gate opens when the run resumes. */
function worktreeMoved(run: Run, { key, worktree }: OutcomeOf<'worktreeMoved'>): NewEvent[] {
  const phase = currentPhase(run);
  const effect = decide(run).find((candidate) => candidate.key === key);
  if (!phase || effect?.type !== 'runCommand') return [];
  const reason = `${describeChange(phase.from, worktree)} after it was approved and before a command of ${phase.key} started`;
  const closed = closeCommands(run, reason);
  if (run.state === 'paused') return closed;
  return [...closed, ...escalate(run, phase, { code: 'changes_under_decision', reason, worktree })];
}

/** The phase cannot start: its attempt begins and fails at once. */
function escalateAtStart(run: Run, phase: Phase, failure: Parameters<typeof escalate>[2]): NewEvent[] {
  return [beginPhase(run, phase), ...escalate(run, { ...phase, attempts: phase.attempts + 1 }, failure)];
}

function commandEnded(run: Run, { commandId, exitCode, ok, reason }: OutcomeOf<'commandEnded'>): NewEvent[] {
  const command = run.commands.find((candidate) => candidate.id === commandId);
  if (command?.state !== 'started') return [];
  const type = ok ? 'command.completed' : 'command.failed';
  return [{ type, phaseId: command.phaseId, payload: { commandId, exitCode, reason } }];
}

/** A time-out pauses the run. It never decides. */
function approvalExpired(run: Run, { approvalRequestId, since }: OutcomeOf<'approvalExpired'>): NewEvent[] {
  const approval = run.approvals.find((candidate) => candidate.id === approvalRequestId);
  if (run.state !== 'awaiting_approval' || approval?.state !== 'pending' || approval.pendingSince !== since) return [];
  const cause = `approval_timeout:${approvalRequestId}:${run.pauses + 1}`;
  const reason = `the gate ${approval.gateKey} timed out without a decision`;
  const payload = { cause, approvalRequestId, pausedFrom: run.state, reason };
  return [{ type: 'run.paused', phaseId: approval.phaseId, payload }];
}

/** A failure that retries did not fix. A fatal error ends the run; any other opens a recovery gate. */
function effectFailed(run: Run, { key, error }: OutcomeOf<'effectFailed'>): NewEvent[] {
  const effect = decide(run).find((candidate) => candidate.key === key);
  // A gate without its timer still waits for a person, without a time-out.
  if (!effect || effect.type === 'expireApproval') return [];
  const closed = closeCommands(run, error.message);
  const phase = currentPhase(run);
  if (phase?.state === 'pending' && effect.type === 'inspectWorktree' && error.class !== 'fatal') {
    return escalateAtStart(run, phase, { code: error.code, reason: error.message, hint: error.hint });
  }
  const active = phase && !['pending', 'failed'].includes(phase.state) ? phase : undefined;
  // Only commands run during a pause. Record the failure now; its consequences follow when the run resumes.
  if (run.state === 'paused' && error.class !== 'fatal') return closed;
  if (active && error.class !== 'fatal') {
    return [...closed, ...escalate(run, active, { code: error.code, reason: error.message, hint: error.hint })];
  }
  return [...closed, ...failRun(active, error)];
}
