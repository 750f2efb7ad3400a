import type { SlotCounts } from '../../../schemas/rpc/views/session.ts';
import type { EventBus } from '../../events/bus.ts';

/** An agent that a run needs now. */
export interface AgentNeed {
  sessionId: string;
  /** devflow cannot hold it back any more. It has a slot in any case, even above the limit. */
  isAtWork: boolean;
}

/** The slots of one run. */
export interface RunSlots {
  /**
   * Replaces the agents that the run needs, the most urgent first; none gives all slots back. Returns the sessions whose
   * agents may work.
   */
  request(needs: readonly AgentNeed[]): ReadonlySet<string>;
}

/**
 * The limit on agents that work at once, over all runs. Runs are served first come, first served; each run's agents in the
 * order of its needs. It stays in memory: after a restart, the runs say again what they need.
 */
export interface AgentSlots {
  /** `onGranted` is called when another run's request, or the end of `grantAfter`, gave a slot to this run. */
  forRun(runId: string, onGranted: () => void): RunSlots;
  /** Grants no slot before `work` is done, so that agents that already work are counted first. */
  grantAfter(work: () => void): void;
  /** The sessions of a run, or of all, whose agents wait for a slot. */
  listWaiting(runId?: string): string[];
  counts(): SlotCounts;
}

/** An agent that has a slot or waits for one. */
interface Claim {
  runId: string;
  sessionId: string;
  /** The number in the queue. An agent keeps it until its run no longer needs it. */
  ticket: number;
  hasSlot: boolean;
  onGranted: () => void;
}

export function createAgentSlots(limit: number, bus: Pick<EventBus, 'hint'>): AgentSlots {
  const claims = new Map<string, Claim>();
  let nextTicket = 0;
  let isGranting = true;

  const list = (which: (claim: Claim) => boolean) => [...claims.values()].filter(which);
  const held = () => list(({ hasSlot }) => hasSlot).length;

  function claimOf(sessionId: string, runId: string, onGranted: () => void): Claim {
    const known = claims.get(sessionId);
    if (known) return known;
    const claim = { runId, sessionId, ticket: nextTicket++, hasSlot: false, onGranted };
    claims.set(sessionId, claim);
    return claim;
  }

  function reclaim(runId: string, needs: readonly AgentNeed[], onGranted: () => void): void {
    const needed = new Set(needs.map(({ sessionId }) => sessionId));
    for (const { sessionId } of list((claim) => claim.runId === runId && !needed.has(claim.sessionId)))
      claims.delete(sessionId);
    const ofRun = needs.map(({ sessionId, isAtWork }) => ({ isAtWork, claim: claimOf(sessionId, runId, onGranted) }));
    for (const { isAtWork, claim } of ofRun) claim.hasSlot ||= isAtWork;
    // Above the limit, an agent between two steps waits again.
    for (const { isAtWork, claim } of ofRun) if (!isAtWork && held() > limit) claim.hasSlot = false;
    giveFirstTickets(ofRun.map(({ claim }) => claim).filter(({ hasSlot }) => !hasSlot));
  }

  /** Gives the free slots to those who waited longest, and tells their runs, except the one that asks. */
  function grant(askingRunId?: string): void {
    if (!isGranting || claims.size === 0) return;
    const queue = list(({ hasSlot }) => !hasSlot).sort((a, b) => a.ticket - b.ticket);
    const served = queue.slice(0, Math.max(0, limit - held()));
    for (const claim of served) claim.hasSlot = true;
    const others = served.filter(({ runId }) => runId !== askingRunId);
    for (const [runId, onGranted] of new Map(others.map((claim) => [claim.runId, claim.onGranted]))) {
      hint(runId);
      onGranted();
    }
  }

  /** Tells clients that the run waits no longer. No event of the run says so. */
  function hint(runId: string): void {
    const ofRun = list((claim) => claim.runId === runId);
    const done = ofRun.filter(({ hasSlot }) => hasSlot).length;
    bus.hint(runId, { event: 'run.progress', data: { runId, step: 'agents', done, total: ofRun.length } });
  }

  return {
    forRun: (runId, onGranted) => ({
      request(needs) {
        reclaim(runId, needs, onGranted);
        grant(runId);
        return new Set(list((claim) => claim.runId === runId && claim.hasSlot).map(({ sessionId }) => sessionId));
      },
    }),
    grantAfter(work) {
      isGranting = false;
      try {
        work();
      } finally {
        isGranting = true;
      }
      grant();
    },
    listWaiting: (runId) =>
      list((claim) => !claim.hasSlot && (runId === undefined || claim.runId === runId)).map(
        ({ sessionId }) => sessionId,
      ),
    counts() {
      const atWork = held();
      return { atWork, waiting: claims.size - atWork, limit };
    },
  };
}

/** A run keeps its numbers, and its most urgent agents get the first of them. */
function giveFirstTickets(waiting: readonly Claim[]): void {
  const tickets = waiting.map(({ ticket }) => ticket).sort((a, b) => a - b);
  for (const [nth, claim] of waiting.entries()) claim.ticket = tickets[nth] ?? claim.ticket;
}

/** The reason why a run waits for a slot. */
export function slotSentence({ atWork, limit }: SlotCounts): string {
  return `a free agent slot (${atWork} of ${limit} at work)`;
}
