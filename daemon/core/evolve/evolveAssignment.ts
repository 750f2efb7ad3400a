import { defined } from '../../../schemas/defined.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import { DRAFT } from '../../../schemas/kinds/step/definition.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { moveAssignments, nudgeAssignment, resendPrompt, withNextAttempt } from '../assignment/moveAssignments.ts';
import { withAnswers } from '../comments/comments.ts';
import { stepPhase } from '../machines/phase.ts';
import { DRAFT_REPAIR_BUDGET, REPAIR_BUDGET, stepsSession } from '../machines/session.ts';
import { patchAssignments, patchPhase, patchSession } from '../run/patch.ts';
import { dueRecovery, sessionOf } from '../run/query.ts';
import type { Artifact, Assignment, Phase, Run } from '../run/state.ts';
import { usedLane } from './evolveSetup.ts';

type PromptSent = Extract<RunEvent, { type: 'prompt.sent' | 'prompt.repaired' }>;
type Expected = Extract<RunEvent, { type: 'artifact.expected' }>;
type Validated = Extract<RunEvent, { type: 'artifact.validated' }>;
type Edited = Extract<RunEvent, { type: 'artifact.edited' }>;
type Invalid = Extract<RunEvent, { type: 'artifact.invalid' }>;
type TimedOut = Extract<RunEvent, { type: 'artifact.timeout' }>;
type Missing = Extract<RunEvent, { type: 'artifact.missing' }>;

/** Prompts and artifacts: the events that move an assignment. */
export function evolveAssignment(
  run: Run,
  event: PromptSent | Expected | Validated | Edited | Invalid | TimedOut | Missing,
): Run {
  switch (event.type) {
    case 'prompt.sent':
    case 'prompt.repaired':
      return sent(run, event);
    case 'artifact.expected':
      return expected(run, event);
    case 'artifact.validated':
      return validated(run, event);
    case 'artifact.edited':
      return edited(run, event);
    case 'artifact.invalid':
      return invalid(run, event);
    case 'artifact.timeout':
      return timedOut(run, event);
    case 'artifact.missing':
      return missing(run, event);
    default:
      return event satisfies never;
  }
}

function sent(run: Run, { payload, ts }: PromptSent): Run {
  const used = usedLane(run, sessionOf(run, payload.sessionId)?.laneId ?? MAIN);
  return patchSession(used, payload.sessionId, () => ({
    expectedArtifactPath: payload.expectedArtifact,
    expectedSchema: payload.expectedSchema,
    lastPromptHash: payload.dedupKey,
    lastPromptAt: ts,
  }));
}

/** Follows `prompt.sent`, which stored the prompt's hash in the session. */
function expected(run: Run, { payload, phaseId, ts }: Expected): Run {
  const { path, schema, timeoutMs } = payload;
  return patchPhase(run, phaseId, (phase) =>
    moveAssignments(phase, of(payload), (assignment) => {
      const session = sessionOf(run, assignment.sessionId);
      const dedupKey = session?.lastPromptHash ?? '';
      return {
        status: 'prompted',
        repair: null,
        resend: null,
        nudge: null,
        askedIn: session?.conversation ?? null,
        settled: null,
        prompt: { dedupKey, path, schema, since: ts, timeoutMs },
      };
    }),
  );
}

function validated(run: Run, { payload, phaseId, ts }: Validated): Run {
  const { storedPath, title, data, warnings } = payload;
  const content = defined({ data, warnings });
  const artifact = artifactOf(run, payload, phaseId, ts, { valid: true, errors: null, storedPath, ...content });
  const next = patchPhase(run, phaseId, (phase) =>
    moveAssignments(phase, of(payload), () => ({ status: 'validated', prompt: null, artifact })),
  );
  const { assignment = payload.roleId, answers } = payload;
  const named = { ...next, agentTitle: title ?? run.agentTitle, artifacts: [...run.artifacts, artifact] };
  return withAnswers(named, { assignment, at: ts, answers });
}

/** The person's version takes the place of the agent's, which stays in the list of artifacts. */
function edited(run: Run, { payload, phaseId, ts }: Edited): Run {
  const { storedPath, title, data, approvalRequestId, clientToken } = payload;
  const made = artifactOf(run, payload, phaseId, ts, { valid: true, errors: null, storedPath, ...defined({ data }) });
  // Who edits back and forth comes to the same bytes again.
  const before = run.artifacts.find(({ id }) => id === made.id);
  const createdAt = before?.createdAt ?? ts;
  const artifact: Artifact = { ...made, createdAt, edited: { approvalRequestId, clientToken } };
  const others = run.artifacts.filter((each) => each !== before);
  const next = patchPhase(run, phaseId, (phase) => ({
    assignments: patchAssignments(phase, of(payload), () => ({ artifact })),
  }));
  return { ...next, agentTitle: title ?? run.agentTitle, artifacts: [...others, artifact] };
}

function invalid(run: Run, { payload, phaseId, ts }: Invalid): Run {
  const { path, errors, schema } = payload;
  const budget = schema === DRAFT ? DRAFT_REPAIR_BUDGET : REPAIR_BUDGET;
  const isIt = of(payload);
  const artifact = artifactOf(run, payload, phaseId, ts, { valid: false, errors, storedPath: null });
  const next = patchPhase(run, phaseId, (phase) => {
    const mayRepair = phase.assignments.some((assignment) => isIt(assignment) && assignment.repairsUsed < budget);
    return mayRepair
      ? repairing(run, phase, isIt, { path, errors })
      : moveAssignments(phase, isIt, () => ({ status: 'invalid', prompt: null }));
  });
  return { ...next, artifacts: [...run.artifacts, artifact] };
}

function repairing(
  run: Run,
  phase: Phase,
  which: (assignment: Assignment) => boolean,
  repair: NonNullable<Assignment['repair']>,
): Phase {
  const state = phase.state === 'awaiting_artifact' ? stepPhase(phase.state, 'validating') : phase.state;
  return withNextAttempt(run, { ...phase, state }, (attempt) =>
    moveAssignments({ ...phase, state }, which, (assignment) => ({
      status: 'to_prompt',
      attempt: attempt(assignment),
      repairsUsed: assignment.repairsUsed + 1,
      repair,
      prompt: null,
    })),
  );
}

/** Recovers the session and resends the prompt. Without a recovery left the assignment stays, and the phase fails. */
function timedOut(run: Run, { payload, ts }: TimedOut): Run {
  const next = patchSession(run, payload.sessionId, (session) => ({
    state: stepsSession(session.state, 'ARTIFACT_TIMEOUT'),
    recoveryAttempts: session.recoveryAttempts + 1,
    stall: null,
    failure: { code: 'artifact_timeout_exhausted', reason: `the deadline for ${payload.path} passed` },
  }));
  const session = sessionOf(next, payload.sessionId);
  return session && dueRecovery(session) ? resendPrompt(next, payload.sessionId, 'timeout', ts) : next;
}

/** The session goes on in its conversation; only its prompt is due again. */
function missing(run: Run, event: Missing): Run {
  const { payload, phaseId, ts: at } = event;
  const awake = patchSession(run, payload.sessionId, () => ({ stall: null }));
  return patchPhase(awake, phaseId, (phase) =>
    nudgeAssignment(run, phase, of(payload), { answer: null, at, reminded: true }),
  );
}

/** Picks the assignment that an event names. */
function of({ assignment, roleId }: { assignment?: string; roleId: string }): (candidate: Assignment) => boolean {
  const key = assignment ?? roleId;
  return (candidate) => candidate.key === key;
}

function artifactOf(
  run: Run,
  payload: Validated['payload'] | Edited['payload'] | Invalid['payload'],
  phaseId: string | null,
  createdAt: string,
  verdict: Pick<Artifact, 'valid' | 'errors' | 'storedPath' | 'data' | 'warnings'>,
): Artifact {
  const { artifactId, roleId, assignment = roleId, attempt, path, schema, hash } = payload;
  const phase = run.phases.find(({ id }) => id === phaseId);
  return {
    id: artifactId,
    phaseId: phaseId ?? '',
    roleId,
    assignment,
    laneId: phase?.assignments.find(of(payload))?.laneId ?? MAIN,
    attempt,
    path,
    schema,
    hash,
    createdAt,
    ...verdict,
  };
}
