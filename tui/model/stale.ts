import type { MethodName, RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { NotificationName, NotificationParams } from '../../schemas/rpc/notifications.ts';

/** The notifications that the dashboard subscribes to. Screens that show the others follow them. */
const SUBSCRIBED = {
  'run.state_changed': true,
  'run.progress': true,
  'lanes.changed': true,
  'findings.changed': true,
  'phase.state_changed': true,
  'session.state_changed': true,
  'messages.changed': true,
  'approval.created': true,
  'approval.resolved': true,
  'artifact.validated': true,
  'definitions.changed': true,
  'engine.changed': true,
  'queue.changed': true,
  heartbeat: true,
  'run.event_appended': false,
  'transcript.chunk_appended': false,
  'contracts.changed': false,
} as const satisfies Record<NotificationName, boolean>;

export const SUBSCRIPTION = {
  kinds: (Object.keys(SUBSCRIBED) as NotificationName[]).filter((name) => SUBSCRIBED[name]),
};

type About = { [N in NotificationName]: (typeof SUBSCRIBED)[N] extends true ? N : never }[NotificationName];
/** News of one run. */
type Change = Extract<NotificationParams, { event: About; data: { runId: string } }>;

/** The news that makes an answer stale. */
interface StaleAfter<P> {
  runs?(change: Change, params: P): boolean;
  /** Templates, personas or the faults of their files are part of it. */
  definitions?: true;
  /** It says what waits for the server of the engine. */
  engine?: true;
  /** It says which runs wait for a place, or how many. */
  queue?: true;
  /** Contract files of its `repo` are part of it. The screen of contracts follows the repository. */
  contracts?: true;
}

/** Notifications that only answers about the one run can show. */
const DETAILS: readonly About[] = ['run.progress', 'lanes.changed', 'findings.changed', 'messages.changed'];
const isOfDetails = ({ event }: Change) => DETAILS.includes(event);
const ofAnyRun = (change: Change) => !isOfDetails(change);
const ofItsRun = (change: Change, { runId }: { runId?: string | undefined }) =>
  !isOfDetails(change) && (runId === undefined || runId === change.data.runId);
/** It shows messages, or counts them. */
const ofItsMessages = (change: Change, params: { runId?: string | undefined }) =>
  change.event === 'messages.changed' ? begins(change.data.runId, params.runId ?? '') : ofItsRun(change, params);
const ofOneRun = (change: Change, { runId }: { runId: string }) =>
  change.event !== 'run.progress' && begins(change.data.runId, runId);
const ofOneSession = ({ event, data }: Change, { sessionId }: { sessionId: string }) =>
  event === 'run.state_changed' || ('sessionId' in data && begins(data.sessionId, sessionId));
const whenARunMoves = ({ event }: Change) => event === 'run.state_changed';

/** The methods whose answers screens show: they are asked again when the answer is stale. */
const STALE_AFTER = {
  'approval.get': { runs: ({ data }, { approvalId }) => 'approvalId' in data && begins(data.approvalId, approvalId) },
  // A gate never shows another change.
  'approval.diff': {},
  'approval.checkComments': {},
  'approval.list': { runs: ofItsRun },
  // An artifact never changes.
  'artifact.get': {},
  'artifact.list': { runs: ofItsRun },
  // Measurements never change.
  'backtest.compare': {},
  'backtest.list': { runs: ofAnyRun },
  'backtest.show': { runs: ofOneRun },
  'contract.status': { contracts: true },
  // Doctor runs again when a person asks.
  'daemon.doctor': {},
  'daemon.status': { runs: ofAnyRun, definitions: true, engine: true, queue: true },
  // It lists the runs that use the persona.
  'message.list': { runs: ofItsMessages },
  'persona.get': { runs: whenARunMoves, definitions: true },
  'persona.list': { definitions: true },
  'run.diff': { runs: ofOneRun },
  'run.events': { runs: ofOneRun },
  'run.findings': { runs: ofOneRun },
  'run.get': { runs: ({ data }, { runId }) => begins(data.runId, runId), engine: true, queue: true },
  'run.lanes': { runs: ofOneRun },
  'run.lastBackends': { runs: whenARunMoves, definitions: true },
  'run.list': { runs: () => true, engine: true, queue: true },
  'run.report': { runs: ofOneRun },
  // Another run may be in the way of this one.
  'run.start': { runs: whenARunMoves, definitions: true },
  'session.get': { runs: ofOneSession },
  'session.list': { runs: ofItsMessages },
  'session.why': { runs: ofOneSession },
  'state.audit': { contracts: true },
  // A run that is applied moves the base commit, with its settings.
  'repository.check': { runs: whenARunMoves },
  'repository.show': { runs: whenARunMoves },
  // It lists the runs that use the template.
  'template.get': { runs: whenARunMoves, definitions: true },
  // It says when each was used last.
  'template.list': { runs: whenARunMoves, definitions: true },
} satisfies { readonly [M in MethodName]?: StaleAfter<RpcParams<M>> };

export type QueryMethod = keyof typeof STALE_AFTER;

/** True when the answer may no longer hold. Pure. */
export function isStale(
  { method, params }: { method: QueryMethod; params: object },
  notification: NotificationParams,
): boolean {
  const { runs, definitions, engine, queue, contracts }: StaleAfter<object> = STALE_AFTER[method];
  switch (notification.event) {
    case 'heartbeat':
      // The daemon dropped notifications: nothing is known to be fresh.
      return notification.data.lost > 0;
    case 'contracts.changed':
      return contracts === true && 'repo' in params && params.repo === notification.data.repo;
    case 'definitions.changed':
      return definitions === true;
    case 'engine.changed':
      return engine === true;
    case 'queue.changed':
      return queue === true;
    case 'run.event_appended':
    case 'transcript.chunk_appended':
      return false;
    default:
      return runs?.(notification, params) ?? false;
  }
}

/** A query may name only the beginning of an id. */
function begins(id: string, asked: string): boolean {
  return id.startsWith(asked);
}
