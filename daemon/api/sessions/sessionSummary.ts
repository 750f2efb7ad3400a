import { isTerminal, type RunState, type SessionState, type ShownSessionState } from '../../../schemas/enums.ts';
import type { SessionSummary, StallView } from '../../../schemas/rpc/views/session.ts';
import type { Run, Session } from '../../engine/core/run/state.ts';
import type { SessionRow } from '../../store/sessions.ts';

/** Ending a run ends its agents, but their recorded states stay as they were. */
export function shownState(run: RunState, session: SessionState): ShownSessionState {
  return isTerminal(run) ? 'ENDED' : session;
}

/** From the folded run, which does not know the pane. */
export function summaryOfSession(run: Run, session: Session): SessionSummary {
  const { id: sessionId, roleId, laneId, backend, cwd, lastPromptAt } = session;
  const state = shownState(run.state, session.state);
  const stall = isTerminal(run.state) ? null : session.stall;
  const recoveryAttempts = session.recoveryAttempts - session.renewals;
  const who = { sessionId, runId: run.id, roleId, laneId, backend };
  return { ...who, state, paneId: null, cwd, recoveryAttempts, lastPromptAt, stall };
}

/** From the row, which does not know the stall. */
export function summaryOfRow(row: SessionRow, stall: StallView | null): SessionSummary {
  return {
    sessionId: row.id,
    runId: row.runId,
    roleId: row.roleId,
    laneId: row.laneId,
    backend: row.backend as SessionSummary['backend'],
    state: shownState(row.runState, row.state),
    paneId: row.tmuxPane,
    cwd: row.cwd,
    recoveryAttempts: row.recoveryAttempts,
    lastPromptAt: row.lastPromptAt?.toISOString() ?? null,
    stall,
  };
}
