import type { Logger } from 'pino';
import { toErrorRecord } from '../../../schemas/errors/errorRecord.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { AdoptionCounts } from '../../../schemas/rpc/views/session.ts';
import { sessionStart } from '../../core/assignment/effects.ts';
import { decide } from '../../core/decide.ts';
import type { Effect, EffectOf } from '../../core/effect/effect.ts';
import type { Outcome } from '../../core/effect/outcome.ts';
import { isSessionEnded, openSessionsOf } from '../../core/run/lanes.ts';
import { isBroken, openGates } from '../../core/run/query.ts';
import type { Run, Session } from '../../core/run/state.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import { sessionInput } from '../performers/sessionInput.ts';
import type { AgentSlots } from './agentSlots.ts';

/** Adopts the agents that outlived the last daemon, and counts what became of each agent. */
export interface AgentAdoption {
  /**
   * Adopts the live agents of a run, also while the run waits at a gate. A missing agent is reported lost. Call it before
   * the run advances: the first request for a session decides whether its old agent is adopted.
   */
  adopt(run: Run, report: (outcome: Outcome) => void): void;
  /** Updates the counts: a missing agent may be back. Missing agents of an ended run or lane are forgotten. */
  record(run: Run, events: readonly RunEvent[]): void;
  /** `runOf` gives an open run. */
  counts(runOf: (runId: string) => Run | undefined): AdoptionCounts;
}

interface Agent {
  runId: string;
  status: 'probing' | 'adopted' | 'missing' | 'resumed';
}

export function createAgentAdoption(options: {
  sessions: Pick<SessionManager, 'ensure'>;
  agentSlots: Pick<AgentSlots, 'listWaiting'>;
  log: Pick<Logger, 'warn'>;
}): AgentAdoption {
  const { sessions, agentSlots, log } = options;
  const agents = new Map<string, Agent>();

  async function adoptAgent(run: Run, session: Session, report: (outcome: Outcome) => void): Promise<void> {
    const agent: Agent = { runId: run.id, status: 'probing' };
    agents.set(session.id, agent);
    try {
      await sessions.ensure(sessionInput(sessionStart(run, session)));
      agent.status = 'adopted';
    } catch (error) {
      const record = toErrorRecord(error);
      // Other errors do not prove that the agent is missing. It is probed again when the run needs it.
      const isMissing = record.code === 'pane_briefly_unresponsive';
      const isLoss = isMissing && session.state !== 'BOOTSTRAPPING' && !isBroken(session);
      const { id: sessionId, recoveryAttempts } = session;
      if (isLoss) return report({ type: 'sessionLost', sessionId, error: record, recoveryAttempts });
      agent.status = 'missing';
      if (!isMissing && record.code !== 'shutting_down') log.warn({ err: error, sessionId }, 'agent not adopted');
    }
  }

  function recordEvent(event: RunEvent): void {
    const agent = 'sessionId' in event.payload && agents.get(String(event.payload.sessionId));
    if (!agent) return;
    if (event.type === 'session.crashed' && agent.status === 'probing') agent.status = 'missing';
    const isBack = event.type === 'session.recovered' || event.type === 'session.ready';
    if (isBack && agent.status === 'missing') agent.status = 'resumed';
  }

  /** A missing agent comes back now (`pending`), after a gate (`waiting`), or when needed and a slot is free (`resting`). */
  function missingStatus(run: Run | undefined, sessionId: string): 'pending' | 'waiting' | 'resting' {
    if (!run || agentSlots.listWaiting(run.id).includes(sessionId)) return 'resting';
    const comesBack = (effect: Effect): effect is EffectOf<'recoverSession' | 'startSession'> =>
      effect.type === 'recoverSession' || effect.type === 'startSession';
    const isDue = decide(run).some((effect) => comesBack(effect) && effect.session.sessionId === sessionId);
    if (isDue) return 'pending';
    return openGates(run).length > 0 ? 'waiting' : 'resting';
  }

  return {
    adopt(run, report) {
      for (const session of openSessionsOf(run)) void adoptAgent(run, session, report);
    },
    record(run, events) {
      for (const event of events) recordEvent(event);
      for (const session of run.sessions.filter((each) => isSessionEnded(run, each))) {
        const status = agents.get(session.id)?.status;
        if (status === 'missing' || status === 'probing') agents.delete(session.id);
      }
    },
    counts(runOf) {
      const counts: AdoptionCounts = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };
      for (const [sessionId, { runId, status }] of agents) {
        if (status === 'adopted' || status === 'resumed') counts[status] += 1;
        else counts[status === 'missing' ? missingStatus(runOf(runId), sessionId) : 'pending'] += 1;
      }
      return counts;
    },
  };
}
