import { Backend, type SessionState } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import { evolve } from '../engine/core/evolve/evolve.ts';
import { stallSentence } from '../engine/core/stalled.ts';
import type { Run } from '../engine/core/state.ts';
import type { SessionsPort } from '../rpc/ports.ts';
import type { AgentStall, SessionAdapter } from '../sessions/adapter.ts';
import type { SessionManager } from '../sessions/manager.ts';
import type { RunLog } from '../store/runLog.ts';
import { readSession, type SessionRow } from '../store/sessions.ts';
import { shownState } from '../views/sessionState.ts';

/** Looks at agents for the RPC handlers. The state shown is the recorded one; the signals say why. */
export function createSessionsPort(
  database: Database,
  manager: SessionManager,
  adapters: Partial<Record<Backend, SessionAdapter>>,
  runLog: Pick<RunLog, 'readEvents'>,
): SessionsPort {
  async function getRow(sessionId: string): Promise<SessionRow> {
    const row = await readSession(database.drizzle, sessionId);
    if (!row) throw new DevflowError('not_found', `There is no session ${sessionId}.`);
    return row;
  }
  const stateOf = ({ runState, state }: SessionRow) => shownState(runState, state);

  return {
    async probe(sessionId) {
      const row = await getRow(sessionId);
      const { alive, paneActive, lastOutputAt, hint } = await manager.probe(sessionId).catch(notHeld);
      const seen = { alive, paneActive, lastOutputAt: lastOutputAt?.toISOString() ?? null, hint: hint ?? null };
      return { sessionId, state: stateOf(row), ...seen };
    },
    async why(sessionId) {
      const row = await getRow(sessionId);
      const { verdict, rule, signals } = await manager.why(sessionId);
      const change = await readLastChange(runLog, row.runId, sessionId);
      const seen = signals.map(({ at, source, fact }) => ({
        ...{ at: at.toISOString(), signal: source, detail: fact, state: null },
      }));
      const recorded = change && { at: change.ts, signal: 'event', detail: change.type, state: change.state };
      // An adapter with rules reports the present; signals of others may be older than the event.
      const isOlder = change && !signals.some(({ at, source }) => source === 'rule' || at.toISOString() > change.ts);
      const said = isOlder
        ? `The log of the run says ${change.type}, and no newer signal says otherwise.`
        : `The signals say ${verdict}: ${rule.replace(/\.$/, '')}.`;
      return {
        sessionId,
        state: stateOf(row),
        since: change?.ts ?? null,
        sentence: [...whatKeeps(row, manager.stallOf(sessionId)), said].join(' '),
        signals: [...seen, ...(recorded ? [recorded] : [])].sort((a, b) => a.at.localeCompare(b.at)),
      };
    },
    async attachTarget(sessionId) {
      const row = await getRow(sessionId);
      const { runId, repoPath, roleId } = row;
      const backend = Backend.parse(row.backend);
      const tmux = await adapters[backend]?.attachPoint?.(sessionId);
      if (tmux) return { sessionId, runId, repoPath, roleId, backend, state: stateOf(row), tmux };
      throw new DevflowError('state_conflict', `Session ${sessionId} (${backend}) has no pane to attach to.`, {
        recoveryHint: `Read it with devflow session transcript ${sessionId.slice(0, 8)}.`,
      });
    },
  };
}

/** What a person can do about it comes first. */
function whatKeeps({ id, roleId, backend }: SessionRow, stall: AgentStall | undefined): string[] {
  if (!stall) return [];
  const { cause, detail, until } = stall;
  return [`${stallSentence({ id, roleId, backend, stall: { cause, detail, until: until?.toISOString() ?? null } })}.`];
}

/** The event that brought the session to its state. It folds the recorded events again, as the engine did. */
async function readLastChange(
  { readEvents }: Pick<RunLog, 'readEvents'>,
  runId: string,
  sessionId: string,
): Promise<{ ts: string; type: string; state: SessionState } | undefined> {
  let run: Run | undefined;
  let change: { ts: string; type: string; state: SessionState } | undefined;
  for (;;) {
    const page = await readEvents(runId, run?.lastSeq ?? 0, PAGE);
    for (const event of page) {
      run = evolve(run, event);
      const state = run.sessions.find(({ id }) => id === sessionId)?.state;
      if (state !== undefined && state !== change?.state) change = { ts: event.ts, type: event.type, state };
    }
    if (page.length < PAGE) return change;
  }
}

const PAGE = 1_000;

/** A session whose run has ended, or which nothing has asked for since the daemon started. */
function notHeld(error: unknown): { alive: boolean; paneActive: boolean; lastOutputAt?: Date; hint?: string } {
  if (!(error instanceof DevflowError) || error.code !== 'internal') throw error;
  return { alive: false, paneActive: false, hint: 'this daemon has no agent for it' };
}
