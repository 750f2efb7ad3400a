import { isUtf8 } from 'node:buffer';
import { Backend } from '../../../schemas/enums.ts';
import { DevflowError } from '../../../schemas/errors.ts';
import type { PanePlace, SessionDetail, TranscriptChunk } from '../../../schemas/rpc/views/session.ts';
import { isTurnOver } from '../../../schemas/states/stall.ts';
import { type Here, hostOf, isHere } from '../../core/run/place.ts';
import type { Database } from '../../db/database.ts';
import type { AgentSlots } from '../../engine/local/agentSlots.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import type { SessionAdapter } from '../../sessions/contract/adapter.ts';
import type { SessionManager } from '../../sessions/manager.ts';
import type { Lists } from '../../store/lists.ts';
import type { RunLog } from '../../store/runLog.ts';
import type { SessionRow } from '../../store/sessions.ts';
import { readTranscript, type StoredChunk } from '../../store/transcripts.ts';
import type { Route } from '../hosts/route.ts';
import { type Ids, runNamed } from '../lookup/ids.ts';
import { listFilterOf } from '../lookup/listFilterOf.ts';
import { type Attach, attachMostUrgent, attachNext } from './attachInOrder.ts';
import { type NamingReads, sessionNamed } from './sessionNamed.ts';
import type { SessionReads } from './sessionReads.ts';
import { shownStateOfRow } from './sessionSummary.ts';
import { whyOf } from './why.ts';

/** The methods about agents. The state shown is the recorded one; the signals say why. */
export function createSessionMethods(parts: {
  ids: Ids;
  runs: Pick<NamingReads, 'getRun'>;
  reads: SessionReads;
  database: Pick<Database, 'drizzle'>;
  lists: Pick<Lists, 'listApprovals'>;
  runLog: Pick<RunLog, 'readEvents'>;
  manager: SessionManager;
  agentSlots: Pick<AgentSlots, 'listWaiting' | 'counts'>;
  adapters: Partial<Record<Backend, SessionAdapter>>;
  here: Here;
  /** Asks the host of the session. */
  route: Route;
  /** A client reads the transcript as it grows. */
  onTranscriptRead(sessionId: string): void;
}): HandlersOf<'session'> {
  const { ids, runs, reads, database, lists, runLog, manager, agentSlots, adapters, here, route } = parts;
  const { onTranscriptRead } = parts;
  const { listSessions, getSession, getRow } = reads;
  const attention = { listApprovals: lists.listApprovals, listSessions };
  const rowOf = async (ref: string) => getRow(await ids.session(ref));

  const pane = async (row: SessionRow): Promise<PanePlace> => {
    const backend = Backend.parse(row.backend);
    const tmux = await adapters[backend]?.attachPoint?.(row.id);
    if (tmux) return tmux;
    throw new DevflowError('state_conflict', `Session ${row.id} (${backend}) has no pane to attach to.`, {
      recoveryHint: `Read it with devflow session transcript ${row.id.slice(0, 8)}.`,
    });
  };

  const attach: Attach = async (sessionId) => {
    const row = await getRow(sessionId);
    const { runId, repoPath, roleId, laneId } = row;
    const host = isHere(row, here) ? null : hostOf(row, here);
    const tmux = await route('session.pane', { sessionId }, () => pane(row));
    const backend = Backend.parse(row.backend);
    return { sessionId, runId, repoPath, roleId, laneId, backend, state: shownStateOfRow(row), host, tmux };
  };

  return {
    'session.list': async ({ runId, state, limit, ...asked }) => {
      const run = await runNamed(ids, runId);
      return listSessions({ runId: run, state, limit: limit || undefined, ...(await listFilterOf(asked)) });
    },
    'session.get': async ({ sessionId }) => {
      const session = await getSession(await ids.session(sessionId));
      return { ...session, lastWords: await lastWordsOf(session, manager) };
    },
    'session.transcript': async ({ sessionId: ref, ...page }) => {
      const sessionId = await ids.session(ref);
      onTranscriptRead(sessionId);
      const { chunks, lastSeq, more } = await readTranscript(database.drizzle, sessionId, page);
      return { sessionId, chunks: chunks.map(transcriptView), lastSeq, more };
    },
    'session.probe': async ({ sessionId }) => {
      const row = await rowOf(sessionId);
      const { alive, paneActive, lastOutputAt, hint } = await manager.probe(row.id).catch(withoutAgent);
      const seen = { alive, paneActive, lastOutputAt: lastOutputAt?.toISOString() ?? null, hint: hint ?? null };
      return { sessionId: row.id, state: shownStateOfRow(row), ...seen };
    },
    'session.pane': async ({ sessionId }) => pane(await rowOf(sessionId)),
    'session.why': async ({ sessionId }) => whyOf(await rowOf(sessionId), { manager, runLog, agentSlots }),
    'session.attachTarget': async ({ target, next }) => {
      if (target !== undefined && next !== undefined)
        throw new DevflowError('usage', 'target and next both name a session; give one of them');
      if (target !== undefined) return attach(await sessionNamed(target, { ids, getRun: runs.getRun, listSessions }));
      return next === undefined ? attachMostUrgent(attention, attach) : attachNext(attention, next.after, attach);
    },
  };
}

/** From its agent, if it is here. Else from the log, which has them while its turn is over. */
async function lastWordsOf(
  { sessionId, stall }: SessionDetail,
  manager: Pick<SessionManager, 'lastWords'>,
): Promise<SessionDetail['lastWords']> {
  const said = await manager.lastWords(sessionId);
  if (said) return { text: said.text, at: said.at.toISOString(), by: said.by };
  return stall && isTurnOver(stall.cause) ? { text: stall.detail, at: stall.since, by: 'record' } : null;
}

/** The run or the lane has ended, or nothing has asked for the session since the daemon started. */
function withoutAgent(error: unknown): { alive: boolean; paneActive: boolean; lastOutputAt?: Date; hint?: string } {
  if (!(error instanceof DevflowError) || error.code !== 'internal') throw error;
  return { alive: false, paneActive: false, hint: 'this daemon has no agent for it' };
}

/** Bytes that are not UTF-8 also travel as base64. */
function transcriptView({ seq, kind, bytes, endOffset, capturedAt }: StoredChunk): TranscriptChunk {
  const exact = isUtf8(bytes) ? {} : { base64: bytes.toString('base64') };
  return { seq, kind, content: bytes.toString('utf8'), ...exact, endOffset, capturedAt: capturedAt.toISOString() };
}
