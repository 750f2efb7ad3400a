import { Backend } from '../../schemas/enums.ts';
import { DevflowError } from '../../schemas/errors.ts';
import type { Database } from '../db/open.ts';
import type { SessionsPort } from '../rpc/ports.ts';
import type { SessionAdapter } from '../sessions/adapter.ts';
import type { SessionManager } from '../sessions/manager.ts';
import { readSession, type SessionRow } from '../store/sessions.ts';

/** Looks at agents for the RPC handlers. The state shown is the recorded one; the signals say why. */
export function createSessionsPort(
  database: Database,
  manager: SessionManager,
  adapters: Partial<Record<Backend, SessionAdapter>>,
): SessionsPort {
  async function getRow(sessionId: string): Promise<SessionRow> {
    const row = await readSession(database.drizzle, sessionId);
    if (!row) throw new DevflowError('not_found', `There is no session ${sessionId}.`);
    return row;
  }
  const stateOf = (row: SessionRow) => row.state as Awaited<ReturnType<SessionsPort['why']>>['state'];

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
      return {
        sessionId,
        state: stateOf(row),
        since: signals.at(-1)?.at.toISOString() ?? null,
        sentence: `The signals say ${verdict}: ${rule.replace(/\.$/, '')}.`,
        signals: signals.map(({ at, source, fact }) => ({
          at: at.toISOString(),
          signal: source,
          detail: fact,
          state: null,
        })),
      };
    },
    async attachTarget(sessionId) {
      const row = await getRow(sessionId);
      const { runId, roleId } = row;
      const backend = Backend.parse(row.backend);
      const tmux = await adapters[backend]?.attachPoint?.(sessionId);
      if (tmux) return { sessionId, runId, roleId, backend, state: stateOf(row), tmux };
      throw new DevflowError('state_conflict', `Session ${sessionId} (${backend}) has no pane to attach to.`, {
        recoveryHint: `Read it with devflow session transcript ${sessionId.slice(0, 8)}.`,
      });
    },
  };
}

/** A session whose run has ended, or which nothing has asked for since the daemon started. */
function notHeld(error: unknown): { alive: boolean; paneActive: boolean; lastOutputAt?: Date; hint?: string } {
  if (!(error instanceof DevflowError) || error.code !== 'internal') throw error;
  return { alive: false, paneActive: false, hint: 'this daemon has no agent for it' };
}
