import type { RunEvent } from '../../../schemas/events/index.ts';
import type { AgentStall } from '../../sessions/contract/adapter.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { Outcome } from '../core/run/outcome.ts';
import type { RunActor } from './actor.ts';

export interface AgentEvents {
  /**
   * Re-probes agents last reported as stalled whose sessions moved in these events. An agent can ask a question before the
   * delivery of its prompt is recorded, and that record ends the stall.
   */
  reprobeStalled(events: readonly RunEvent[], report: (outcome: Outcome) => void): void;
  stop(): void;
}

/** Reports deaths and stalls of agents to the runs that own them. */
export function createAgentEvents(options: {
  sessions: Pick<SessionManager, 'onLost' | 'onStall' | 'stallOf' | 'probe'>;
  /** The actor of the run that has this session. */
  actorOf(sessionId: string): Pick<RunActor, 'report'> | undefined;
}): AgentEvents {
  const { sessions, actorOf } = options;
  const unlisten = [
    sessions.onLost((sessionId, error) => {
      const record = { ...error, message: error.message, hint: error.recoveryHint };
      actorOf(sessionId)?.report({ type: 'sessionLost', sessionId, error: record });
    }),
    sessions.onStall((sessionId, stall) => actorOf(sessionId)?.report(stalled(sessionId, stall))),
  ];
  async function reprobe(sessionId: string, report: (outcome: Outcome) => void): Promise<void> {
    if (!sessions.stallOf(sessionId)) return;
    // A session that was released meanwhile has no stall.
    const { stall } = await sessions.probe(sessionId).catch(() => ({ stall: undefined }));
    // An agent that took a prompt after a hang is no longer hung. Its adapter must detect a new hang.
    if (stall && stall.cause !== 'hung') report(stalled(sessionId, stall));
  }

  return {
    reprobeStalled(events, report) {
      const ofSession = events.filter(({ type }) => type.startsWith('session.'));
      const ids = new Set(ofSession.map(({ payload }) => (payload as { sessionId: string }).sessionId));
      for (const sessionId of ids) void reprobe(sessionId, report);
    },
    stop() {
      for (const each of unlisten) each();
    },
  };
}

function stalled(sessionId: string, stall: AgentStall | undefined): Outcome {
  if (!stall) return { type: 'sessionStalled', sessionId, stall: null };
  const { cause, detail, resumesItself } = stall;
  const until = stall.until?.toISOString() ?? null;
  return {
    type: 'sessionStalled',
    sessionId,
    stall: resumesItself ? { cause, detail, until, goesOn: true } : { cause, detail, until },
  };
}
