import type {
  ApprovalDecisionAction,
  ApprovalState,
  RunPhaseState,
  RunState,
  ShownSessionState,
} from '../../schemas/enums.ts';
import type { RunEvent } from '../../schemas/events/index.ts';
import type { Notification } from '../../schemas/rpc/notifications.ts';

/** The rows a transaction changed, as they are now. */
export interface Changes {
  run?: { state: RunState; currentPhase: string | null };
  phases: { phaseId: string; key: string; state: RunPhaseState; attempts: number }[];
  approvals: {
    approvalId: string;
    gateKey: string;
    phaseKey: string | null;
    state: ApprovalState;
    /** True in the transaction that opened the gate. */
    created: boolean;
    /** The decision; null if nobody decided (a time-out, a resume). */
    action: ApprovalDecisionAction | null;
  }[];
  sessions: { sessionId: string; roleId: string; state: ShownSessionState }[];
  /** The sessions with new or changed messages. Absent: none. */
  messages?: string[];
}

/** The effect of one committed transaction on a run. Events are in order of seq. */
export interface Commit {
  runId: string;
  events: readonly RunEvent[];
  changes: Changes;
}

/** `events` are entries of the log and can be replayed. `hints` say what to fetch again. */
export interface BusItem {
  /** Null for what belongs to no run. Such an item has no events. */
  runId: string | null;
  events: readonly RunEvent[];
  hints: readonly Notification[];
}

export type BusListener = (item: BusItem) => void;

export interface EventBus {
  /** Call it after the commit, because a listener may read the log at once. */
  publish(commit: Commit): void;
  /** For changes without an event or a row of the run, such as a transcript chunk. */
  hint(runId: string | null, hint: Notification): void;
  /** Listens to one run, or to all with null. Returns a function that stops it. Listeners must be quick and not throw. */
  listen(runId: string | null, listener: BusListener): () => void;
}

/** The in-process bus. It stores nothing; late listeners read the log. */
export function createBus(): EventBus {
  const listeners = new Map<string | null, Set<BusListener>>();
  const deliver = (item: BusItem) => {
    if (item.runId !== null) for (const listener of listeners.get(item.runId) ?? []) listener(item);
    for (const listener of listeners.get(null) ?? []) listener(item);
  };
  return {
    publish: (commit) => deliver({ runId: commit.runId, events: commit.events, hints: hintsOf(commit) }),
    hint: (runId, hint) => deliver({ runId, events: [], hints: [hint] }),
    listen(runId, listener) {
      const set = listeners.get(runId) ?? new Set();
      listeners.set(runId, set.add(listener));
      return () => {
        set.delete(listener);
        if (set.size === 0 && listeners.get(runId) === set) listeners.delete(runId);
      };
    },
  };
}

function hintsOf({ runId, events, changes }: Commit): Notification[] {
  const hints: Notification[] = [];
  if (changes.run) hints.push({ event: 'run.state_changed', data: { runId, ...changes.run } });
  for (const phase of changes.phases) hints.push({ event: 'phase.state_changed', data: { runId, ...phase } });
  for (const { created, action, ...approval } of changes.approvals) {
    const data = { runId, ...approval };
    if (created) hints.push({ event: 'approval.created', data });
    else hints.push({ event: 'approval.resolved', data: { ...data, action } });
  }
  for (const session of changes.sessions) hints.push({ event: 'session.state_changed', data: { runId, ...session } });
  if (events.some(({ type }) => /^(lane|task|merge)\./.test(type)))
    hints.push({ event: 'lanes.changed', data: { runId } });
  if (events.some(({ type }) => /^(review|finding)\./.test(type)))
    hints.push({ event: 'findings.changed', data: { runId } });
  for (const sessionId of changes.messages ?? []) hints.push({ event: 'messages.changed', data: { runId, sessionId } });
  for (const event of events) {
    if (event.type !== 'artifact.validated' && event.type !== 'artifact.edited') continue;
    const { artifactId, path, schema, hash } = event.payload;
    hints.push({ event: 'artifact.validated', data: { runId, artifactId, path, schema, hash } });
  }
  return hints;
}
