import { isTerminal, type ShownSessionState, type StallCause } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import { blocksRun } from '../../schemas/gateKinds.ts';
import type { SessionSummary } from '../../schemas/rpc/views/session.ts';
import type { ReadsPort } from './ports.ts';

/** How much a state cries for a person; a state that is not here does not. */
const NEED: Partial<Record<ShownSessionState, number>> = {
  FAILED_NEEDS_HUMAN: 4,
  WAITING_FOR_APPROVAL: 4,
  HUNG: 3,
  CRASHED: 3,
  ARTIFACT_TIMEOUT: 3,
  BUSY: 1,
};
/** What keeps an agent from going on says more than its state; what the clock ends nobody need look at. */
const NEED_OF_STALL: Record<StallCause, number> = {
  permission: 4,
  question: 4,
  dialog: 4,
  draft: 4,
  login: 4,
  hung: 3,
  idle: 2,
  error: 1,
  quota: 1,
};
/** Above an agent that works, below one in trouble: its run waits at a gate. */
const AT_A_GATE = 2;

type Reads = Pick<ReadsPort, 'listRuns' | 'listApprovals' | 'listSessions'>;

/**
 * The sessions of open runs, the one that needs a person most first: in trouble, then at a gate (the one that has waited
 * longest), then at work. Throws `not_found` when there is none.
 */
export async function mostInNeed(reads: Reads): Promise<[string, ...string[]]> {
  const [first, ...others] = (await byNeed(reads)).map(({ sessionId }) => sessionId);
  if (first !== undefined) return [first, ...others];
  throw new DevflowError('not_found', 'No open run has an agent.', {
    recoveryHint: 'Start a run, or name a session: devflow session list.',
  });
}

/**
 * Those that need a person at all, beginning after the one that is shown and coming round to it: asked again and again,
 * each has its turn. One that is shown and needs nobody has no place in that order, which then begins with who needs most.
 */
export async function nextInNeed(reads: Reads, shown?: string): Promise<string[]> {
  const ids = (await byNeed(reads)).filter(({ need }) => need >= AT_A_GATE).map(({ sessionId }) => sessionId);
  const turn = shown === undefined ? 0 : ids.indexOf(shown) + 1;
  return [...ids.slice(turn), ...ids.slice(0, turn)];
}

async function byNeed(reads: Reads): Promise<{ sessionId: string; need: number }[]> {
  const [runs, gates, sessions] = await Promise.all([
    reads.listRuns({ limit: 0 }),
    reads.listApprovals({ state: 'pending' }),
    reads.listSessions({ limit: 0 }),
  ]);
  const open = new Set(runs.filter((run) => !isTerminal(run.state)).map((run) => run.runId));
  const oldestFirst = gates.filter(blocksRun).sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  const waiting = oldestFirst.map((gate) => gate.runId);
  const needOf = ({ state, stall, runId }: SessionSummary) =>
    Math.max(NEED[state] ?? 0, stall ? NEED_OF_STALL[stall.cause] : 0, waiting.includes(runId) ? AT_A_GATE : 0);
  const placeOf = ({ runId }: SessionSummary) => (waiting.includes(runId) ? waiting.indexOf(runId) : waiting.length);
  return sessions
    .filter((session) => open.has(session.runId))
    .sort((a, b) => needOf(b) - needOf(a) || placeOf(a) - placeOf(b) || a.sessionId.localeCompare(b.sessionId))
    .map((session) => ({ sessionId: session.sessionId, need: needOf(session) }));
}
