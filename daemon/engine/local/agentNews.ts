import type { RunEvent } from '../../../schemas/events/index.ts';
import type { AgentStall } from '../../sessions/adapter.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { Outcome } from '../core/effect.ts';
import type { RunActor } from './actor.ts';

export interface AgentNews {
  /**
   * The run has recorded what shows that an agent goes on. Where it was told to be kept from that it is looked at: a
   * prompt that has just been taken can bring a question before its delivery is on record.
   */
  moved(events: readonly RunEvent[], tell: (outcome: Outcome) => void): void;
  stop(): void;
}

/** What agents do by themselves, outside any effect, for the runs they belong to. */
export function createAgentNews(options: {
  sessions: Pick<SessionManager, 'onLost' | 'onStall' | 'stallOf' | 'probe'>;
  /** The actor of the run that has this session. */
  actorOf(sessionId: string): Pick<RunActor, 'tell'> | undefined;
}): AgentNews {
  const { sessions, actorOf } = options;
  const unlisten = [
    sessions.onLost((sessionId, error) => {
      const record = { ...error, message: error.message, hint: error.recoveryHint };
      actorOf(sessionId)?.tell({ type: 'sessionLost', sessionId, error: record });
    }),
    sessions.onStall((sessionId, stall) => actorOf(sessionId)?.tell(stalled(sessionId, stall))),
  ];
  async function look(sessionId: string, tell: (outcome: Outcome) => void): Promise<void> {
    if (!sessions.stallOf(sessionId)) return;
    // One that nobody holds any more is kept from nothing.
    const { stall } = await sessions.probe(sessionId).catch(() => ({ stall: undefined }));
    // One that took a prompt after it had hung does so no more: that is for its adapter to find out anew.
    if (stall && stall.cause !== 'hung') tell(stalled(sessionId, stall));
  }

  return {
    moved(events, tell) {
      const ofSession = events.filter(({ type }) => type.startsWith('session.'));
      const ids = new Set(ofSession.map(({ payload }) => (payload as { sessionId: string }).sessionId));
      for (const sessionId of ids) void look(sessionId, tell);
    },
    stop() {
      for (const each of unlisten) each();
    },
  };
}

function stalled(sessionId: string, stall: AgentStall | undefined): Outcome {
  if (!stall) return { type: 'sessionStalled', sessionId, stall: null };
  const { cause, detail, until, resumesItself } = stall;
  const told = {
    cause,
    detail,
    until: until?.toISOString() ?? null,
    ...(resumesItself ? { goesOn: resumesItself } : {}),
  };
  return { type: 'sessionStalled', sessionId, stall: told };
}
