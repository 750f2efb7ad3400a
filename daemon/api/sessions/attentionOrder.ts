import type { ShownSessionState, StallCause } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import { blocksRun } from '../../../schemas/gates/gateKinds.ts';
import type { SessionSummary } from '../../../schemas/rpc/views/session.ts';
import type { Lists } from '../../store/lists.ts';
import type { SessionReads } from './sessionReads.ts';

/** The urgency of each state that needs a person. States that are missing here need nobody. */
const URGENCY: Partial<Record<ShownSessionState, number>> = {
  FAILED_NEEDS_HUMAN: 4,
  WAITING_FOR_APPROVAL: 4,
  HUNG: 3,
  CRASHED: 3,
  ARTIFACT_TIMEOUT: 3,
  BUSY: 1,
};
/** A stall says more than the state. Nobody needs to look at a stall that ends by the clock. */
const URGENCY_OF_STALL: Record<StallCause, number> = {
  permission: 4,
  question: 4,
  dialog: 4,
  draft: 4,
  login: 4,
  hung: 3,
  idle: 2,
  turn_over: 2,
  error: 1,
  quota: 1,
};
/** The run waits at a gate: above an agent that works, below one in trouble. */
const AT_A_GATE = 2;

export type AttentionReads = Pick<Lists, 'listApprovals'> & Pick<SessionReads, 'listSessions'>;

/**
 * The open sessions, by their need of a person. Those in trouble come first, then those at a gate (longest wait first),
 * then those at work. Throws `not_found` when there is none.
 */
export async function attentionOrder(reads: AttentionReads): Promise<[string, ...string[]]> {
  const [first, ...others] = (await byUrgency(reads)).map(({ sessionId }) => sessionId);
  if (first !== undefined) return [first, ...others];
  throw new DevflowError('not_found', 'No agent is running.', {
    recoveryHint: 'Start a run, or name a session: devflow session list.',
  });
}

/**
 * The sessions that need a person, beginning after the shown one and ending with it. So asking again visits each in
 * turn. If the shown session needs nobody, the order begins with the most urgent.
 */
export async function nextForAttention(reads: AttentionReads, shown?: string): Promise<string[]> {
  const ids = (await byUrgency(reads)).filter(({ urgency }) => urgency >= AT_A_GATE).map(({ sessionId }) => sessionId);
  const turn = shown === undefined ? 0 : ids.indexOf(shown) + 1;
  return [...ids.slice(turn), ...ids.slice(0, turn)];
}

async function byUrgency(reads: AttentionReads): Promise<{ sessionId: string; urgency: number }[]> {
  const [gates, sessions] = await Promise.all([
    reads.listApprovals({ state: 'pending' }),
    reads.listSessions({ limit: 0 }),
  ]);
  const oldestFirst = gates.filter(blocksRun).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const waiting = oldestFirst.map((gate) => gate.runId);
  const urgencyOf = ({ state, stall, runId }: SessionSummary) =>
    Math.max(URGENCY[state] ?? 0, stall ? URGENCY_OF_STALL[stall.cause] : 0, waiting.includes(runId) ? AT_A_GATE : 0);
  const placeOf = ({ runId }: SessionSummary) => (waiting.includes(runId) ? waiting.indexOf(runId) : waiting.length);
  return sessions
    .filter(({ state }) => state !== 'ENDED')
    .sort((a, b) => urgencyOf(b) - urgencyOf(a) || placeOf(a) - placeOf(b) || a.sessionId.localeCompare(b.sessionId))
    .map((session) => ({ sessionId: session.sessionId, urgency: urgencyOf(session) }));
}
