import { DevflowError } from '../../../errors.ts';
import { shorten } from '../../../text/phrases.ts';
import type { Blocker, Coordination, CycleState, Decision } from '../state/cycleState.ts';
import { refusal, transitionRefused } from '../state/refuse.ts';
import type { Payloads } from './cycleEvent.ts';

export function feedbackLogged(state: CycleState, event: Payloads['feedback.logged'], at: string): CycleState {
  const { source, target, content, feedback: type } = event;
  const feedback_log = [...state.coordination.feedback_log, { timestamp: at, source, target, content, type }];
  return withCoordination(state, { feedback_log });
}

export function decisionOpened(
  state: CycleState,
  { id, description, options }: Payloads['decision.opened'],
): CycleState {
  const { pending_decisions } = state.coordination;
  requireFree('decision', pending_decisions, id);
  if (options.length === 0) throw new DevflowError('usage', 'decision.opened: options is empty.');
  const decision: Decision = { id, description, options, status: 'pending' };
  return withCoordination(state, { pending_decisions: [...pending_decisions, decision] });
}

export function decisionMade(state: CycleState, { id, option, by }: Payloads['decision.made']): CycleState {
  const { pending_decisions } = state.coordination;
  const decision = requireItem('decision', pending_decisions, id);
  if (decision.status !== 'pending') throw transitionRefused(`The decision “${shorten(id)}” is already made.`);
  if (!decision.options.includes(option)) {
    const message = `“${shorten(option)}” is no option of the decision “${shorten(id)}”.`;
    throw refusal('cycle_invalid_option', message, { options: decision.options });
  }
  const made: Decision = { ...decision, made_by: by, chosen_option: option, status: 'made' };
  return withCoordination(state, { pending_decisions: replaced(pending_decisions, decision, made) });
}

export function blockerOpened(state: CycleState, { id, description, by }: Payloads['blocker.opened']): CycleState {
  const { blockers } = state.coordination;
  requireFree('blocker', blockers, id);
  const blocker: Blocker = { id, description, reported_by: by, status: 'open' };
  return withCoordination(state, { blockers: [...blockers, blocker] });
}

export function blockerResolved(state: CycleState, event: Payloads['blocker.resolved']): CycleState {
  const { id, resolution, workaround = false } = event;
  const { blockers } = state.coordination;
  const blocker = requireItem('blocker', blockers, id);
  if (blocker.status === 'resolved') throw transitionRefused(`The blocker “${shorten(id)}” is already resolved.`);
  const resolved: Blocker = { ...blocker, status: workaround ? 'workaround' : 'resolved', resolution };
  return withCoordination(state, { blockers: replaced(blockers, blocker, resolved) });
}

function withCoordination(state: CycleState, changed: Partial<Coordination>): CycleState {
  return { ...state, coordination: { ...state.coordination, ...changed } };
}

function requireFree(what: string, items: readonly { id: string }[], id: string): void {
  if (!items.some((item) => item.id === id)) return;
  throw new DevflowError('cycle_exists', `There is a ${what} “${shorten(id)}” already.`, {
    recoveryHint: 'Choose another id.',
  });
}

function requireItem<T extends { id: string }>(what: string, items: readonly T[], id: string): T {
  const item = items.find((each) => each.id === id);
  if (item) return item;
  throw refusal('cycle_unknown_item', `There is no ${what} “${shorten(id)}”.`);
}

function replaced<T>(items: readonly T[], before: T, after: T): T[] {
  return items.map((item) => (item === before ? after : item));
}
