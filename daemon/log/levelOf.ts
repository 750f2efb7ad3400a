import type { GateKind } from '../../schemas/enums.ts';
import type { RunEvent, RunEventType } from '../../schemas/events/index.ts';
import { needsPerson } from '../../schemas/states/stall.ts';

export type EventLevel = 'info' | 'warn' | 'error';

/** A gate that somebody planned or asked for is no failure. */
const GATE_LEVELS: Readonly<Record<GateKind, EventLevel>> = {
  gate: 'info',
  recovery: 'error',
  cleanup: 'info',
  agent: 'error',
  turn: 'error',
};

type Levels = {
  [T in RunEventType]: EventLevel | ((payload: Extract<RunEvent, { type: T }>['payload']) => EventLevel);
};

/**
 * `warn`: something failed, and devflow tries again or goes on. `error`: it failed, and only a person can go on. The compiler
 * asks for the level of a new event.
 */
const LEVELS: Levels = {
  'run.created': 'info',
  'run.started': 'info',
  'run.paused': ({ approvalRequestId }) => (approvalRequestId === undefined ? 'info' : 'error'),
  'run.resumed': 'info',
  'run.stalled': ({ stall }) => (stall === null ? 'info' : needsPerson(stall.cause) ? 'error' : 'warn'),
  'run.completed': 'info',
  'run.failed': 'error',
  'run.aborted': 'info',
  'run.delivered': ({ onto }) => (onto === null ? 'warn' : 'info'),
  'run.ranked': 'info',
  'run.continued': 'info',
  'run.titled': 'info',
  'run.applied': 'info',
  'phase.started': 'info',
  'phase.completed': 'info',
  'phase.failed': 'error',
  'phase.skipped': 'info',
  'phase.progressed': 'info',
  'prompt.sent': 'info',
  'prompt.repaired': 'warn',
  'message.queued': 'info',
  'message.sent': 'info',
  'message.withdrawn': 'info',
  'message.doubted': 'error',
  'message.settled': 'info',
  'artifact.expected': 'info',
  'artifact.validated': 'info',
  'artifact.edited': 'info',
  'artifact.invalid': 'warn',
  'artifact.timeout': 'warn',
  'artifact.missing': 'warn',
  'artifact.published': 'info',
  'contract.drifted': 'warn',
  'checkout.changed': 'warn',
  'approval.requested': ({ kind }) => GATE_LEVELS[kind],
  'approval.resolved': 'info',
  'approval.rule_checked': 'info',
  'approval.withdrawn': 'info',
  'session.created': 'info',
  'session.ready': 'info',
  'session.busy': 'info',
  'session.idle': 'info',
  'session.crashed': 'warn',
  'session.recovered': 'info',
  'session.failed': 'error',
  'command.started': 'info',
  'command.completed': 'info',
  'command.failed': 'warn',
  'worktree.placed': 'info',
  'worktree.set_up': ({ ok, withoutSetup }) => (ok || withoutSetup ? 'info' : 'warn'),
  'worktree.outdated': 'info',
  'lane.opened': 'info',
  'lane.drifted': 'warn',
  'lane.finished': 'info',
  'lane.landed': 'info',
  'lane.closed': 'info',
  'lane.abandoned': 'warn',
  'lane.reopened': 'info',
  'task.started': 'info',
  'task.completed': 'info',
  'merge.enqueued': 'info',
  'merge.tested': 'info',
  'merge.landed': 'info',
  'merge.ejected': 'warn',
  'iteration.started': 'info',
  'iteration.completed': 'info',
  'review.prepared': 'info',
  'review.batch_recorded': 'info',
  'review.asked': 'info',
  'review.verdict_recorded': 'info',
  'review.fix_committed': 'info',
  'review.checked': 'info',
  'finding.verifier_resolved': 'info',
  'finding.fixed': 'info',
  'finding.accepted': 'info',
  'backtest.iteration_started': 'info',
  'backtest.measured': 'info',
  'backtest.iteration_completed': 'info',
  'backtest.objective_evaluated': 'info',
  'direct.finished': 'info',
};

export function levelOf(event: RunEvent): EventLevel {
  const level = LEVELS[event.type] as EventLevel | ((payload: RunEvent['payload']) => EventLevel);
  return typeof level === 'function' ? level(event.payload) : level;
}
