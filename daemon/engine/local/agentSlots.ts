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

interface Place {
  runId: string;
  sessionId: string;
  /** The turn in the queue. An agent keeps it until its run no longer needs it. */
  turn: number;
  hasSlot: boolean;
  onGranted: () => void;
}

export function createAgentSlots(limit: number, bus: Pick<EventBus, 'hint'>): AgentSlots {
  const places = new Map<string, Place>();
  let nextTurn = 0;
  let isGranting = true;

  const list = (which: (place: Place) => boolean) => [...places.values()].filter(which);
  const held = () => list(({ hasSlot }) => hasSlot).length;

  function placeOf(sessionId: string, runId: string, onGranted: () => void): Place {
    const known = places.get(sessionId);
    if (known) return known;
    const place = { runId, sessionId, turn: nextTurn++, hasSlot: false, onGranted };
    places.set(sessionId, place);
    return place;
  }

  function replace(runId: string, needs: readonly AgentNeed[], onGranted: () => void): void {
    const needed = new Set(needs.map(({ sessionId }) => sessionId));
    for (const { sessionId } of list((place) => place.runId === runId && !needed.has(place.sessionId)))
      places.delete(sessionId);
    const ofRun = needs.map(({ sessionId, isAtWork }) => ({ isAtWork, place: placeOf(sessionId, runId, onGranted) }));
    for (const { isAtWork, place } of ofRun) place.hasSlot ||= isAtWork;
    // Above the limit, an agent between two steps waits again.
    for (const { isAtWork, place } of ofRun) if (!isAtWork && held() > limit) place.hasSlot = false;
    giveFirstTurns(ofRun.map(({ place }) => place).filter(({ hasSlot }) => !hasSlot));
  }

  /** Gives the free slots to those who waited longest, and tells their runs, except the one that asks. */
  function grant(askingRunId?: string): void {
    if (!isGranting || places.size === 0) return;
    const queue = list(({ hasSlot }) => !hasSlot).sort((a, b) => a.turn - b.turn);
    const served = queue.slice(0, Math.max(0, limit - held()));
    for (const place of served) place.hasSlot = true;
    const others = served.filter(({ runId }) => runId !== askingRunId);
    for (const [runId, onGranted] of new Map(others.map((place) => [place.runId, place.onGranted]))) {
      hint(runId);
      onGranted();
    }
  }

  /** Tells clients that the run waits no longer. No event of the run says so. */
  function hint(runId: string): void {
    const ofRun = list((place) => place.runId === runId);
    const done = ofRun.filter(({ hasSlot }) => hasSlot).length;
    bus.hint(runId, { event: 'run.progress', data: { runId, step: 'agents', done, total: ofRun.length } });
  }

  return {
    forRun: (runId, onGranted) => ({
      request(needs) {
        replace(runId, needs, onGranted);
        grant(runId);
        return new Set(list((place) => place.runId === runId && place.hasSlot).map(({ sessionId }) => sessionId));
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
      list((place) => !place.hasSlot && (runId === undefined || place.runId === runId)).map(
        ({ sessionId }) => sessionId,
      ),
    counts() {
      const atWork = held();
      return { atWork, waiting: places.size - atWork, limit };
    },
  };
}

/** A run keeps its turns, and its most urgent agents get the first of them. */
function giveFirstTurns(waiting: readonly Place[]): void {
  const turns = waiting.map(({ turn }) => turn).sort((a, b) => a - b);
  for (const [nth, place] of waiting.entries()) place.turn = turns[nth] ?? place.turn;
}

/** The reason why a run waits for a slot. */
export function slotSentence({ atWork, limit }: SlotCounts): string {
  return `a free agent slot (${atWork} of ${limit} at work)`;
}
