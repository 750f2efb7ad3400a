import { defined } from '../../../schemas/defined.ts';
import { isLaneEnded, isTerminal, type ShownSessionState } from '../../../schemas/enums.ts';
import type { SessionSummary, StallView } from '../../../schemas/rpc/views/session.ts';
import { isSessionEnded } from '../../core/run/lanes.ts';
import { openMessagesOf } from '../../core/run/message.ts';
import type { Run, Session } from '../../core/run/state.ts';
import { runTitle } from '../../core/run/title.ts';
import type { SessionRow } from '../../store/sessions.ts';

/** The end of a run or of a lane ends its agents, but their recorded states stay as they were. */
export function shownState(run: Run, session: Session): ShownSessionState {
  return isSessionEnded(run, session) ? 'ENDED' : session.state;
}

/** The same from the row. */
export function shownStateOfRow({ runState, laneState, state }: SessionRow): ShownSessionState {
  return isTerminal(runState) || (laneState !== null && isLaneEnded(laneState)) ? 'ENDED' : state;
}

/** From the folded run, which does not know the pane. */
export function summaryOfSession(run: Run, session: Session): SessionSummary {
  const { id: sessionId, roleId, laneId, backend, cwd, lastPromptAt } = session;
  const state = shownState(run, session);
  const stall = state === 'ENDED' ? null : session.stall;
  const recoveryAttempts = session.recoveryAttempts - session.renewals;
  const who = { sessionId, runId: run.id, runTitle: runTitle(run), roleId, laneId, backend };
  const waiting = state === 'ENDED' ? {} : messagesFor(run, sessionId);
  return { ...who, state, paneId: null, cwd, recoveryAttempts, lastPromptAt, stall, ...waiting };
}

/** The number of messages that wait for the agent; nothing if none does. */
export function messagesFor(run: Pick<Run, 'messages'>, sessionId: string): Pick<SessionSummary, 'messages'> {
  const waiting = openMessagesOf(run, sessionId);
  return waiting.length > 0 ? { messages: waiting.length } : {};
}

/** From the row, which does not know what only the folded run has. */
export function summaryOfRow(
  row: SessionRow,
  { stall, messages }: { stall: StallView | null } & Pick<SessionSummary, 'messages'>,
): SessionSummary {
  return {
    sessionId: row.id,
    runId: row.runId,
    runTitle: row.title,
    roleId: row.roleId,
    laneId: row.laneId,
    backend: row.backend as SessionSummary['backend'],
    state: shownStateOfRow(row),
    paneId: row.tmuxPane,
    cwd: row.cwd,
    recoveryAttempts: row.recoveryAttempts,
    lastPromptAt: row.lastPromptAt?.toISOString() ?? null,
    stall,
    ...defined({ messages }),
  };
}
