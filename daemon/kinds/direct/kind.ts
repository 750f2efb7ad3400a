import { agentName, MAIN } from '../../../schemas/mainLane.ts';
import { endsWithTime, needsPerson } from '../../../schemas/states/stall.ts';
import { createSessions } from '../../core/assignment/derive.ts';
import { agentFirst } from '../../core/assignment/effects.ts';
import { newAssignment } from '../../core/assignment/newAssignment.ts';
import { troubleOf } from '../../core/assignment/trouble.ts';
import { requestAgentGates } from '../../core/gates/agentGate.ts';
import { escalate } from '../../core/gates/escalate.ts';
import { nestedGate } from '../../core/gates/nestedGate.ts';
import { commitWork } from '../../core/phases/commitWork.ts';
import type { KindRules, WaitsFor } from '../../core/phases/kindRules.ts';
import { isInTurn } from '../../core/run/led.ts';
import { openMessagesOf } from '../../core/run/message.ts';
import { closeApprovals, patchPhaseOf } from '../../core/run/patch.ts';
import { definitionOf, isDue, isUndecided, sessionOf } from '../../core/run/query.ts';
import type { PhaseOf, Run, Session } from '../../core/run/state.ts';
import { dueMessages } from './messages.ts';

type Direct = PhaseOf<'direct'>;

/** A person leads the agent, by messages and in its pane. The phase ends when the person says so. */
export const directRules: KindRules<'direct'> = {
  begin(run, phase, attempt) {
    const { roles } = definitionOf(run, phase);
    const seats = run.bindings.filter(({ role }) => roles.includes(role));
    const assignments = seats.map(({ roleId }) =>
      newAssignment(run, phase, { key: roleId, roleId, laneId: MAIN }, attempt),
    );
    if (attempt.cause === 'retry') return { assignments, finish: phase.finish, asks: phase.asks };
    const why = attempt.cause === 'first' ? 'requirements' : 'changes';
    return { assignments, finish: null, asks: { why, attempt: attempt.nth } };
  },
  isEmpty: () => false,
  isAtGate: () => false,
  derive(run, phase) {
    const due = phase.assignments.filter(isDue);
    const missing = due.filter(({ sessionId }) => !sessionOf(run, sessionId));
    if (missing.length > 0) return createSessions(run, phase, missing);
    const messages = due.flatMap((each) => dueMessages(run, phase, each));
    if (messages.length > 0 || isDone(run, phase)) return messages;
    const failing = due.flatMap((assignment) => {
      const failure = troubleOf(run, phase, assignment);
      return failure ? escalate(run, phase, failure, { assignment }) : [];
    });
    return failing.length > 0 ? failing : requestAgentGates(run, phase);
  },
  effects(run, phase) {
    if (isDone(run, phase)) return [commitWork(run, phase)];
    return phase.assignments.filter(isDue).flatMap(({ sessionId, attempt }) => {
      const session = sessionOf(run, sessionId);
      return session ? agentFirst(run, session, `${attempt}`) : [];
    });
  },
  worksIn: (_, { assignments }) => (assignments.some(isDue) ? [MAIN] : []),
  atWork: (run, phase) =>
    sessionsOf(run, phase)
      .filter((session) => isWorking(session) || getsMessage(run, session))
      .map(({ id }) => id),
  waits(run, phase) {
    if (isDone(run, phase)) return [];
    return sessionsOf(run, phase).flatMap((session): WaitsFor[] => {
      const who = `${agentName(session)} (${session.backend})`;
      if (isWorking(session)) return [{ party: 'agent', sentence: `${who} to end its turn` }];
      if (getsMessage(run, session)) return [{ party: 'agent', sentence: `${who} to take a message` }];
      if (session.state !== 'READY' || session.stall) return [];
      const sentence = `${who} waits for you: devflow attach ${session.id.slice(0, 8)}`;
      return [{ party: 'person', sentence, sessionId: session.id }];
    });
  },
  request: () => ({ instructions: '', file: '', schema: '' }),
  outcomes: {
    workCommitted(run, phase, { attempt, work, worktree }) {
      if (phase.state !== 'running' || phase.finish === null || phase.attempts !== attempt) return [];
      const nested = nestedGate(run, phase, work, worktree);
      return [nested ?? { type: 'phase.completed', phaseId: phase.id, payload: { attempt, work } }];
    },
  },
  folds: {
    'direct.finished': (run, { phaseId, payload, ts }) => {
      const finished = patchPhaseOf('direct', run, phaseId, ({ assignments }) => ({
        finish: { now: payload.now ?? false },
        assignments: assignments.map((each) => (each.status === 'failed' ? { ...each, status: 'to_prompt' } : each)),
      }));
      // The person is content with what is there, also without the agent.
      return closeApprovals(finished, (gate) => gate.phaseId === phaseId && !!gate.assignment && isUndecided(gate), ts);
    },
  },
  rehearsal: {
    possible: {},
    atWork: (run, { finish, asks }) => [
      `${finish?.now} ${asks?.why}`,
      ...run.messages.map(({ state, why }) => `${state} ${why}`),
    ],
    ended: () => [],
    acts: (run, phase) =>
      phase.finish
        ? []
        : [{ signal: { type: 'finish', now: sessionsOf(run, phase).some(isInTurn) }, words: 'finishes the work' }],
  },
  finish(_, { id: phaseId, attempts: attempt, finish }, { now }) {
    if (finish && (finish.now || !now)) return [];
    return [{ type: 'direct.finished', phaseId, payload: { attempt, ...(now ? { now } : {}) } }];
  },
  decided: () => [],
};

/** True once the work can be committed: the person said so, and nothing they asked for is under way. */
function isDone(run: Run, phase: Direct): boolean {
  const { finish, assignments } = phase;
  if (phase.state !== 'running' || finish === null) return false;
  if (finish.now) return true;
  return assignments.every(({ sessionId, resend }) => {
    const session = sessionOf(run, sessionId);
    const isBusy = session !== undefined && isInTurn(session);
    return resend === null && !isBusy && openMessagesOf(run, sessionId).length === 0;
  });
}

function sessionsOf(run: Run, { assignments }: Direct): Session[] {
  return assignments.filter(isDue).flatMap(({ sessionId }) => sessionOf(run, sessionId) ?? []);
}

function isWorking(session: Session): boolean {
  const { stall } = session;
  return isInTurn(session) && !(stall && (needsPerson(stall.cause) || endsWithTime(stall.cause)));
}

/** True while a message is on its way to an agent that is ready. Behind an uncertain one it waits for a person. */
function getsMessage(run: Run, { id, state, stall }: Session): boolean {
  const [next] = openMessagesOf(run, id);
  return state === 'READY' && stall === null && next?.state === 'queued';
}
