import type { MethodName } from '../../schemas/rpc/methods/index.ts';
import type { NotificationParams } from '../../schemas/rpc/notifications.ts';
import type { Query } from '../model/query.ts';

/** Reads that change with anything that happens to a run, and those that only change with one run of that id. */
const OF_ANY_RUN: readonly MethodName[] = [
  'run.list',
  'daemon.status',
  'approval.list',
  'session.list',
  'artifact.list',
];

/** True when what was read may no longer be so. Pure. */
export function isStale(query: Query, { event, data }: NotificationParams): boolean {
  if (event === 'heartbeat') return data.lost > 0;
  if (event === 'transcript.chunk_appended' || event === 'run.event_appended') return false;
  const { method } = query;
  if (event === 'run.progress')
    return method === 'run.list' || (method === 'run.get' && begins(data.runId, paramsOf(query).runId));
  const params = paramsOf(query);
  if (method === 'run.get' || method === 'run.report' || method === 'run.diff' || method === 'run.events')
    return begins(data.runId, params.runId);
  if (method === 'approval.get') return 'approvalId' in data && begins(data.approvalId, params.approvalId);
  if (method === 'session.get' || method === 'session.why')
    return event === 'run.state_changed' || ('sessionId' in data && begins(data.sessionId, params.sessionId));
  // Which runs use them; and whether a run is in the way of another.
  if (method === 'template.get' || method === 'persona.get' || method === 'run.start' || method === 'run.lastBackends')
    return event === 'run.state_changed';
  return OF_ANY_RUN.includes(method) && (params.runId === undefined || params.runId === data.runId);
}

function paramsOf(query: Query) {
  return query.params as { runId?: string; approvalId?: string; sessionId?: string };
}

/** Things may be asked for by the beginning of their id. */
function begins(id: string, asked: string | undefined): boolean {
  return asked !== undefined && id.startsWith(asked);
}
