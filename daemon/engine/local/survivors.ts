import type { Logger } from 'pino';
import { isTerminal } from '../../../schemas/enums.ts';
import { toErrorRecord } from '../../../schemas/errors.ts';
import type { RunEvent } from '../../../schemas/events/index.ts';
import type { AgentFates } from '../../../schemas/rpc/views/agents.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import { decide, sessionStart } from '../core/decide.ts';
import type { Effect, EffectOf, Outcome } from '../core/effect.ts';
import { isBroken, openApproval } from '../core/query.ts';
import type { Run, Session } from '../core/state.ts';
import { sessionInput } from '../performers/sessionInput.ts';

/** What became of the agents that the open runs had when this daemon began. */
export interface Survivors {
  /**
   * Takes over those agents of a run that are alive, whatever the run waits for, so that an agent at a gate is watched
   * too; one that is gone is told of as lost. Call it before the run advances: whoever asks for a session first finds out
   * whether its agent outlived the last daemon.
   */
  takeOver(run: Run, tell: (outcome: Outcome) => void): void;
  /** The run has moved: an agent that was gone may be back, and those of an ended run are nobody's concern. */
  moved(run: Run, events: readonly RunEvent[]): void;
  /** `runOf` gives an open run. */
  count(runOf: (runId: string) => Run | undefined): AgentFates;
}

interface Fate {
  runId: string;
  is: 'looked for' | 'adopted' | 'gone' | 'resumed';
}

export function createSurvivors(options: {
  sessions: Pick<SessionManager, 'ensure'>;
  log: Pick<Logger, 'warn'>;
}): Survivors {
  const { sessions, log } = options;
  const fates = new Map<string, Fate>();

  async function look(run: Run, session: Session, tell: (outcome: Outcome) => void): Promise<void> {
    const fate: Fate = { runId: run.id, is: 'looked for' };
    fates.set(session.id, fate);
    try {
      await sessions.ensure(sessionInput(sessionStart(run, session)));
      fate.is = 'adopted';
    } catch (error) {
      const record = toErrorRecord(error);
      // Only what was found missing is lost; an agent that could not be looked at is looked at when it is needed.
      const isMissing = record.code === 'pane_briefly_unresponsive';
      const isNews = isMissing && session.state !== 'BOOTSTRAPPING' && !isBroken(session);
      const { id: sessionId, recoveryAttempts } = session;
      if (isNews) return tell({ type: 'sessionLost', sessionId, error: record, recoveryAttempts });
      fate.is = 'gone';
      if (!isMissing && record.code !== 'shutting_down') log.warn({ err: error, sessionId }, 'agent not taken over');
    }
  }

  function note(event: RunEvent): void {
    const fate = 'sessionId' in event.payload && fates.get(String(event.payload.sessionId));
    if (!fate) return;
    if (event.type === 'session.crashed' && fate.is === 'looked for') fate.is = 'gone';
    const isBack = event.type === 'session.recovered' || event.type === 'session.ready';
    if (isBack && fate.is === 'gone') fate.is = 'resumed';
  }

  return {
    takeOver(run, tell) {
      if (!isTerminal(run.state)) for (const session of run.sessions) void look(run, session, tell);
    },
    moved(run, events) {
      for (const event of events) note(event);
      if (!isTerminal(run.state)) return;
      for (const [sessionId, { runId, is }] of fates) {
        if (runId === run.id && (is === 'gone' || is === 'looked for')) fates.delete(sessionId);
      }
    },
    count(runOf) {
      const counts: AgentFates = { adopted: 0, resumed: 0, waiting: 0, resting: 0, pending: 0 };
      for (const [sessionId, { runId, is }] of fates) {
        if (is === 'adopted' || is === 'resumed') counts[is] += 1;
        else counts[is === 'gone' ? whereItStands(runOf(runId), sessionId) : 'pending'] += 1;
      }
      return counts;
    },
  };
}

/** Of an agent that is gone: it is being brought back, or nobody asks for it yet. */
function whereItStands(run: Run | undefined, sessionId: string): 'pending' | 'waiting' | 'resting' {
  if (!run) return 'resting';
  if (openApproval(run)) return 'waiting';
  const comesBack = (effect: Effect): effect is EffectOf<'recoverSession' | 'startSession'> =>
    effect.type === 'recoverSession' || effect.type === 'startSession';
  const isDue = decide(run).some((effect) => comesBack(effect) && effect.session.sessionId === sessionId);
  return isDue ? 'pending' : 'resting';
}
