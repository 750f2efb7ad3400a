import type { RpcParams } from '../../schemas/rpc/methods/index.ts';
import type { NotificationName, NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { Query, QueryMethod } from './query.ts';

/** Which notifications can make an answer stale. The dashboard subscribes to these, and to the heartbeat. */
const CHANGES_ANSWERS = {
  'run.state_changed': true,
  'run.progress': true,
  'lanes.changed': true,
  'findings.changed': true,
  'phase.state_changed': true,
  'session.state_changed': true,
  'approval.created': true,
  'approval.resolved': true,
  'artifact.validated': true,
  // Screens that show these follow them.
  'run.event_appended': false,
  'transcript.chunk_appended': false,
  'contracts.changed': false,
  // See DEFINITION_ANSWERS.
  'definitions.changed': false,
  // See ENGINE_ANSWERS.
  'engine.changed': false,
  heartbeat: false,
} as const satisfies Record<NotificationName, boolean>;

type ChangeName = { [N in NotificationName]: (typeof CHANGES_ANSWERS)[N] extends true ? N : never }[NotificationName];
type Change = Extract<NotificationParams, { event: ChangeName }>;

const SUBSCRIBED: NotificationName[] = [
  ...(Object.keys(CHANGES_ANSWERS) as NotificationName[]).filter((name) => CHANGES_ANSWERS[name]),
  'definitions.changed',
  'engine.changed',
  'heartbeat',
];

export const SUBSCRIPTION = { kinds: SUBSCRIBED };

const never = () => false;
/** Notifications that only answers about the one run can show. */
const DETAILS: readonly ChangeName[] = ['run.progress', 'lanes.changed', 'findings.changed'];
const isOfDetails = ({ event }: Change) => DETAILS.includes(event);
const ofAnyRun = (change: Change) => !isOfDetails(change);
const ofItsRun = (change: Change, { runId }: { runId?: string | undefined }) =>
  !isOfDetails(change) && (runId === undefined || runId === change.data.runId);
const ofOneRun = (change: Change, { runId }: { runId: string }) =>
  change.event !== 'run.progress' && begins(change.data.runId, runId);
const ofOneSession = ({ event, data }: Change, { sessionId }: { sessionId: string }) =>
  event === 'run.state_changed' || ('sessionId' in data && begins(data.sessionId, sessionId));
const whenARunMoves = ({ event }: Change) => event === 'run.state_changed';

/** When the answer to each query is stale. A method without a rule does not compile. */
const STALE_AFTER: { readonly [M in QueryMethod]: (change: Change, params: RpcParams<M>) => boolean } = {
  'approval.get': ({ data }, { approvalId }) => 'approvalId' in data && begins(data.approvalId, approvalId),
  'approval.list': ofItsRun,
  // An artifact never changes.
  'artifact.get': never,
  'artifact.list': ofItsRun,
  'backtest.list': ofAnyRun,
  'backtest.show': ofOneRun,
  // Measurements never change.
  'backtest.compare': never,
  // Doctor runs again when a person asks.
  'daemon.doctor': never,
  // The screen of contracts follows the repository.
  'contract.status': never,
  'state.audit': never,
  'daemon.status': ofAnyRun,
  // It lists the runs that use the persona.
  'persona.get': whenARunMoves,
  'persona.list': never,
  'run.diff': ofOneRun,
  'run.events': ofOneRun,
  'run.findings': ofOneRun,
  'run.get': ({ data }, { runId }) => begins(data.runId, runId),
  'run.lanes': ofOneRun,
  'run.lastBackends': whenARunMoves,
  'run.list': () => true,
  'run.report': ofOneRun,
  // Another run may be in the way of this one.
  'run.start': whenARunMoves,
  'session.get': ofOneSession,
  'session.list': ofItsRun,
  'session.why': ofOneSession,
  // It lists the runs that use the template.
  'template.get': whenARunMoves,
  'template.list': never,
};

/** Answers that templates, personas or the faults of their files are part of. */
const DEFINITION_ANSWERS: readonly QueryMethod[] = [
  'daemon.status',
  'persona.get',
  'persona.list',
  'run.lastBackends',
  'run.start',
  'template.get',
  'template.list',
];

/** Answers that say what waits for the server of the engine. */
const ENGINE_ANSWERS: readonly QueryMethod[] = ['daemon.status', 'run.get', 'run.list'];

/** True when the answer may no longer hold. Pure. */
export function isStale({ method, params }: Query, notification: NotificationParams): boolean {
  // The daemon dropped notifications: nothing is known to be fresh.
  if (notification.event === 'heartbeat') return notification.data.lost > 0;
  if (notification.event === 'contracts.changed') return isAboutContracts(method, params, notification.data.repo);
  if (notification.event === 'definitions.changed') return DEFINITION_ANSWERS.includes(method);
  if (notification.event === 'engine.changed') return ENGINE_ANSWERS.includes(method);
  if (!isChange(notification)) return false;
  const rule = STALE_AFTER[method] as (change: Change, params: object) => boolean;
  return rule(notification, params);
}

function isAboutContracts(method: QueryMethod, params: object, repo: string): boolean {
  return (method === 'contract.status' || method === 'state.audit') && 'repo' in params && params.repo === repo;
}

function isChange(notification: NotificationParams): notification is Change {
  return CHANGES_ANSWERS[notification.event];
}

/** A query may name only the beginning of an id. */
function begins(id: string, asked: string): boolean {
  return id.startsWith(asked);
}
