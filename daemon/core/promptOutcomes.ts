import { defined } from '../../schemas/defined.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { kindOf } from '../kinds/index.ts';
import { envelopeFor } from './assignment/prompt.ts';
import { decide } from './decide.ts';
import type { OutcomeOf, Validation } from './effect/outcome.ts';
import { exchangeFaults } from './exchange/faults.ts';
import { escalate, type Failure } from './gates/escalate.ts';
import { endedTurn } from './gates/turnGate.ts';
import { asksAboutTurns } from './run/behaviour.ts';
import { artifactId } from './run/keys.ts';
import { currentPhase, isAtWork, type StalledSession, sessionOf } from './run/query.ts';
import { crash } from './run/sessionBudget.ts';
import type { Assignment, Phase, Run, Session } from './run/state.ts';

export function promptDelivered(run: Run, outcome: OutcomeOf<'promptDelivered'>): NewEvent[] {
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
  const { phase, assignment } = found;
  const request = kindOf(phase).request(run, phase, assignment);
  if (envelopeFor(run, phase, assignment, request).dedupKey !== envelope.dedupKey) return [];
  const { dedupKey, roleId, attempt, expectedArtifact, expectedSchema } = envelope;
  const timeoutMs = run.template.phases.find((p) => p.key === phase.key)?.timeoutMs ?? run.options.artifactTimeoutMs;
  const changed = changedInputs.length > 0 ? { changedInputs } : {};
  const sent = { dedupKey, promptId, sessionId, roleId, attempt, expectedArtifact, expectedSchema, ...changed };
  const facts = { attempt, roleId, ...named(assignment), path: expectedArtifact };
  const expected = { ...facts, schema: expectedSchema, timeoutMs };
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

/** A failed attempt can leave its session busy. A session that takes the next prompt is no longer busy. */
function closeStaleTurn(session: Session, phase: Phase): NewEvent[] {
  if (!isAtWork(session)) return [];
  const { id: sessionId, lastPromptHash } = session;
  return [{ type: 'session.idle', phaseId: phase.id, payload: { sessionId, dedupKey: lastPromptHash ?? '' } }];
}

/** Events name the assignment only where the role instance does not. */
function named({ key, roleId }: Assignment): { assignment?: string } {
  return key === roleId ? {} : { assignment: key };
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

export function artifactFound(run: Run, outcome: OutcomeOf<'artifactFound'>): NewEvent[] {
  const { phaseId, roleId, path, schema, hash } = outcome;
  const faults = outcome.verdict.valid ? exchangeFaults(run, schema, outcome.verdict.data) : [];
  const verdict: Validation = faults.length > 0 ? { valid: false, errors: faults } : outcome.verdict;
  const found = findAssignment(
    run,
    (assignment) => assignment.status === 'prompted' && assignment.prompt?.path === path,
  );
  if (!found?.assignment.prompt) return [];
  const { attempt, sessionId, prompt } = found.assignment;
  const facts = {
    attempt,
    roleId,
    ...named(found.assignment),
    path,
    artifactId: artifactId(run.id, path, hash),
    schema,
    hash,
  };
  const events: NewEvent[] = [
    verdict.valid
      ? {
          type: 'artifact.validated',
          phaseId,
          payload: { ...facts, storedPath: verdict.storedPath, ...contentOf(verdict) },
        }
      : { type: 'artifact.invalid', phaseId, payload: { ...facts, errors: verdict.errors } },
  ];
  const session = sessionOf(run, sessionId);
  if (session && isAtWork(session)) {
    events.push({ type: 'session.idle', phaseId, payload: { sessionId, dedupKey: prompt.dedupKey } });
  }
  return events;
}

const contentOf = ({ title, data, warnings, answers }: Extract<Validation, { valid: true }>) =>
  defined({ title, data, warnings, answers });

export function artifactTimedOut(run: Run, outcome: OutcomeOf<'artifactTimedOut'>): NewEvent[] {
  const { key, phaseId, roleId, sessionId, path } = outcome;
  // Since the deadline the run was paused, or the agent stalled or resumed. Then nothing timed out.
  if (!decide(run).some((effect) => effect.key === key)) return [];
  const found = findAssignment(
    run,
    (assignment) => assignment.status === 'prompted' && assignment.prompt?.path === path,
  );
  const session = sessionOf(run, sessionId);
  if (!found || session?.state !== 'BUSY') return [];
  const { phase, assignment } = found;
  const payload = { attempt: assignment.attempt, roleId, ...named(assignment), path, sessionId };
  if (!asksAboutTurns(run) || !endedTurn(session)) return [{ type: 'artifact.timeout', phaseId, payload }];
  if (!assignment.reminded) return [{ type: 'artifact.missing', phaseId, payload }];
  return escalate(run, phase, stillMissing(session), { assignment });
}

/** The session is not broken: the agent only does not write the file. */
function stillMissing({ id: sessionId, roleId, backend, stall }: StalledSession): Failure {
  const reason = `${roleId} (${backend}) ended its turn again without its file; its last words: ${stall.detail}`;
  return { code: 'turn_without_artifact', reason, sessionId };
}
