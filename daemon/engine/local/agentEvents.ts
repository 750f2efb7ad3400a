import { existsSync } from 'node:fs';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { currentPhase } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { AgentStall } from '../../sessions/contract/adapter.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { RunActor } from './actor.ts';

const LOOK_AGAIN_MS = 1_000;

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
  actorOf(sessionId: string): Pick<RunActor, 'report' | 'run'> | undefined;
  /** Default: whether the file exists. */
  isThere?(path: string): boolean;
}): AgentEvents {
  const { sessions, actorOf, isThere = existsSync } = options;
  const looks = new Map<string, NodeJS.Timeout>();

  function onStall(sessionId: string, stall: AgentStall | undefined): void {
    clearTimeout(looks.get(sessionId));
    looks.delete(sessionId);
    const actor = actorOf(sessionId);
    if (!actor) return;
    const path = stall?.cause === 'idle' ? awaitedFile(actor.run(), sessionId) : undefined;
    if (path === undefined || !isThere(path)) {
      actor.report(stalled(sessionId, stall));
      return;
    }
    // The file is being validated, and then its agent is not idle. Should it go again, the agent is.
    const again = () => onStall(sessionId, sessions.stallOf(sessionId));
    looks.set(sessionId, setTimeout(again, LOOK_AGAIN_MS));
  }

  const unlisten = [
    sessions.onLost((sessionId, error) => {
      const record = { ...error, message: error.message, hint: error.recoveryHint };
      actorOf(sessionId)?.report({ type: 'sessionLost', sessionId, error: record });
    }),
    sessions.onStall(onStall),
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
      // What was asked before the agent took a message stands until it is looked at again.
      const ofSession = events.filter(({ type }) => type.startsWith('session.') || type === 'message.sent');
      const ids = new Set(ofSession.map(({ payload }) => (payload as { sessionId: string }).sessionId));
      for (const sessionId of ids) void reprobe(sessionId, report);
    },
    stop() {
      for (const each of unlisten) each();
      for (const look of looks.values()) clearTimeout(look);
    },
  };
}

/** The artifact that devflow waits for from this agent. */
function awaitedFile(run: Run, sessionId: string): string | undefined {
  const assignments = currentPhase(run)?.assignments ?? [];
  return assignments.find((each) => each.sessionId === sessionId && each.status === 'prompted')?.prompt?.path;
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
