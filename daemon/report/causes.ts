import { type GateKind, isTerminal } from '../../schemas/enums.ts';
import { blocksRun, holdsFailure } from '../../schemas/gates/gateKinds.ts';
import { SESSION_STATES } from '../../schemas/states/session.ts';
import { stallSentence, stallState } from '../../schemas/states/stall.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { hasEndedLane } from '../core/run/lanes.ts';
import { isLeftOut } from '../core/run/notDone.ts';
import { isBroken, isStalled, isUndecided, type StalledSession } from '../core/run/query.ts';
import type { Approval, Artifact, Assignment, Phase, Run, Session } from '../core/run/state.ts';
import type { ReportSubject } from './subject.ts';
import type { UnresolvedItem } from './unresolvedItem.ts';

/** Sentences, without markup, on why a run stopped or ended. */

export function failure({ failure, state }: Run): UnresolvedItem[] {
  if (!failure) return [];
  const what = state === 'aborted' ? 'The run was aborted' : `The run failed (${failure.code})`;
  return [{ kind: 'failure', sentence: `${what}: ${sentence(failure.reason)}` }];
}

/** If a gate is open, its sentence is enough. */
export function pause({ run, events }: ReportSubject): UnresolvedItem[] {
  if (run.state !== 'paused' || run.approvals.some(isUndecided)) return [];
  const last = events.findLast(({ type }) => type === 'run.paused');
  const reason = last?.type === 'run.paused' ? `: ${last.payload.reason}` : '';
  return [{ kind: 'paused', sentence: `The run is paused${reason}. Resume it with devflow run resume.` }];
}

/**
 * The reason why a phase or an assignment stopped at its recovery gate. Also after a rejection, whose own reason does
 * not name the cause.
 */
export function stoppedWork(run: Run): UnresolvedItem[] {
  return run.phases.flatMap((phase) => [
    ...(phase.state === 'failed' ? stopped(run, phase, null, phase.attempts) : []),
    ...phase.assignments
      .filter(({ status }) => status === 'failed')
      .flatMap(({ key, attempt }) => stopped(run, phase, key, attempt)),
  ]);
}

function stopped(run: Run, { id, key }: Phase, assignment: string | null, attempt: number): UnresolvedItem[] {
  const gate = run.approvals.findLast(
    (each) => holdsFailure(each) && each.phaseId === id && each.assignment === assignment && !each.laneId,
  );
  if (gate?.attempt !== attempt) return [];
  const { code, reason, recoveryHint } = gate.subject;
  const hint = isUndecided(gate) ? ` ${sentence(String(recoveryHint))}` : '';
  const what = assignment === null ? `Phase ${key}` : `${assignment} in phase ${key}`;
  const kind = assignment === null ? 'phase_stopped' : 'assignment_stopped';
  return [{ kind, sentence: `${what} stopped (${code}): ${sentence(String(reason))}${hint}`, subject: key }];
}

export function openGates(run: Run): UnresolvedItem[] {
  return run.approvals
    .filter((approval) => isUndecided(approval) && blocksRun(approval))
    .map((gate) => ({ kind: 'gate_open', sentence: GATE_SENTENCES[gate.kind](gate), subject: gate.id }));
}

const GATE_SENTENCES: Readonly<Record<GateKind, (gate: Approval) => string>> = {
  gate: gateSentence,
  recovery: gateSentence,
  // It belongs to no phase.
  cleanup: ({ phaseKey, subject }) =>
    `The cleanup of lane ${phaseKey} waits for a decision: ${sentence(String(subject.reason))}`,
  agent: gateSentence,
  turn: gateSentence,
};

function gateSentence(gate: Approval): string {
  const { gateKey, state } = gate;
  if (state === 'paused') {
    return `The gate ${gateKey} of ${subjectOf(gate)} was not decided in time. Resume the run, then decide it.`;
  }
  return `The gate ${gateKey} of ${subjectOf(gate)} waits for a decision.`;
}

function subjectOf({ phaseKey, assignment, laneId }: Approval): string {
  const part = assignment ?? (laneId === null ? null : `lane ${laneId}`);
  return part === null ? `phase ${phaseKey}` : `${part} in phase ${phaseKey}`;
}

/** Agents that wait for a person, or were waiting when the run ended. */
export function waitingAgents(run: Run): UnresolvedItem[] {
  if (run.state === 'completed') return [];
  return sessionsOf(run)
    .filter(isStalled)
    .map((session) => ({
      kind: 'agent_waits',
      sentence: sentence(isTerminal(run.state) ? stalledAtEnd(session) : stallSentence(session)),
      subject: session.id,
    }));
}

function stalledAtEnd({ roleId, stall: { cause, detail } }: StalledSession): string {
  return `${roleId} was stalled when the run ended (it ${stallState(cause).word}): ${detail}`;
}

/** The newest artifact of each role instance without a valid one. */
export function invalidArtifacts(run: Run, phase: Phase): UnresolvedItem[] {
  return phase.assignments.flatMap((work) => {
    const artifact = work.artifact || isLeftOut(run, work) ? undefined : newestOf(run, phase, work);
    if (!artifact || artifact.valid) return [];
    const { schema, path, errors } = artifact;
    const what = `The last artifact of ${work.roleId} in phase ${phase.key} is not a valid ${schema}: ${faults(errors ?? [])}`;
    return [{ kind: 'artifact_invalid', sentence: what, subject: path }];
  });
}

function newestOf(run: Run, phase: Phase, { roleId }: Assignment): Artifact | undefined {
  // Artifacts of older runs do not name their role; each phase had one role.
  return run.artifacts.findLast((each) => each.phaseId === phase.id && (each.roleId ?? roleId) === roleId);
}

const MOST_FAULTS = 3;

function faults(errors: NonNullable<Artifact['errors']>): string {
  const shown = errors.slice(0, MOST_FAULTS).map(({ path, message }) => `${path || '/'} ${message}`);
  const more = errors.length > MOST_FAULTS ? `; and ${errors.length - MOST_FAULTS} more` : '';
  return `${shown.join('; ')}${more}.`;
}

/** In an open run devflow still recovers broken sessions, so only those that need a person count. */
export function brokenSessions(run: Run): UnresolvedItem[] {
  if (run.state === 'completed') return [];
  const sessions = sessionsOf(run);
  const left = sessions.filter(({ state }) => state === 'FAILED_NEEDS_HUMAN');
  return (isTerminal(run.state) ? sessions.filter(isBroken) : left).map(({ id, roleId, state, failure }) => {
    const what =
      state === 'FAILED_NEEDS_HUMAN' ? 'failed' : `was ${stateOf(SESSION_STATES, state).word} when the run ended`;
    const why = failure ? ` (${failure.code}): ${sentence(failure.reason)}` : '.';
    return { kind: 'session_failed', sentence: `The session of ${roleId} ${what}${why}`, subject: id };
  });
}

/** devflow itself ended the agents of ended lanes: nothing is wrong with them. */
function sessionsOf(run: Run): Session[] {
  return run.sessions.filter((session) => !hasEndedLane(run, session));
}

export function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
