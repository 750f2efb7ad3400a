import { checkPlan } from '../check/checkPlan.ts';
import { requireValid } from '../check/requireState.ts';
import { type CycleState, controlSignal, openIteration } from '../state/cycleState.ts';
import { cycleTime } from '../state/cycleTime.ts';
import { refusal, transitionRefused } from '../state/refuse.ts';
import { agentEnded } from './agentEnded.ts';
import { type AgentEvent, agentMoved } from './agentMoved.ts';
import { changesAppended } from './changesAppended.ts';
import { blockerOpened, blockerResolved, decisionMade, decisionOpened, feedbackLogged } from './coordination.ts';
import type { CycleEvent } from './cycleEvent.ts';
import { iterationCompleted, iterationStarted } from './iterations.ts';
import { explorationUpdated, planUpdated, requirementsUpdated, testsRecorded } from './parts.ts';

/**
 * The state after an event. Throws if the state does not allow it. `state` is valid, and so is the result. The result keeps
 * the beginnings of all lists that only grow: task_history, completed iterations, changes, feedback_log, phase_errors.
 */
export function evolve(state: CycleState, event: CycleEvent, now: number): CycleState {
  const at = timeOf(state, now);
  if (event.type !== 'iteration.started') requireRunning(state);
  return { ...apply(state, event, at), updated_at: at };
}

/** The same for an event that is not recorded yet. Refuses also what recorded ones may have. */
export function evolveNew(state: CycleState, event: CycleEvent, now: number): CycleState {
  const next = evolve(state, event, now);
  requireValid('The plan', next.plan, checkPlan);
  return next;
}

/** The time of a change, in whole seconds: never before the last one, whatever the clock says. */
export function timeOf({ updated_at }: CycleState, now: number): string {
  return cycleTime(Math.max(now, Math.ceil(Date.parse(updated_at) / 1000) * 1000));
}

function apply(state: CycleState, event: CycleEvent, at: string): CycleState {
  switch (event.type) {
    case 'iteration.started':
      return iterationStarted(state, at);
    case 'feedback.logged':
      return feedbackLogged(state, event, at);
    case 'decision.opened':
      return decisionOpened(state, event);
    case 'decision.made':
      return decisionMade(state, event);
    case 'blocker.opened':
      return blockerOpened(state, event);
    case 'blocker.resolved':
      return blockerResolved(state, event);
    default:
      requireOpen(state, event.type);
      return deliver(state, event, at);
  }
}

type Delivery = Exclude<CycleEvent, { type: 'iteration.started' | `${'feedback' | 'decision' | 'blocker'}.${string}` }>;

/** Only an open iteration takes these events. */
function deliver(state: CycleState, event: Delivery, at: string): CycleState {
  switch (event.type) {
    case 'iteration.completed':
      return iterationCompleted(state, event, at);
    case 'agent.started':
    case 'agent.waiting':
      return agentMoved(state, event satisfies AgentEvent, at);
    case 'agent.completed':
    case 'agent.failed':
      return agentEnded(state, event satisfies AgentEvent, at);
    case 'requirements.updated':
      return requirementsUpdated(state, event, at);
    case 'exploration.updated':
      return explorationUpdated(state, event, at);
    case 'plan.updated':
      return planUpdated(state, event, at);
    case 'changes.appended':
      return changesAppended(state, event, at);
    case 'tests.recorded':
      return testsRecorded(state, event, at);
    default:
      return event satisfies never;
  }
}

function requireRunning(state: CycleState): void {
  const signal = controlSignal(state);
  if (signal.continue) return;
  throw refusal('cycle_not_running', `The cycle is ${state.status}, so nothing may go on.`, { ...signal });
}

function requireOpen(state: CycleState, type: string): void {
  if (openIteration(state)) return;
  throw transitionRefused(`No iteration is open, so there can be no ${type}.`);
}
