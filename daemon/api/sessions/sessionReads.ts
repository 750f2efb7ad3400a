import type { ShownSessionState } from '../../../schemas/enums.ts';
import { CATALOGUE, DevflowError, type ErrorCode } from '../../../schemas/errors.ts';
import type { SessionDetail, SessionSummary } from '../../../schemas/rpc/views/session.ts';
import { openSessionsOf } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import type { Database } from '../../db/database.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { ListFilter } from '../../store/listFilter.ts';
import { listSessions, readSession, type SessionRow } from '../../store/sessions.ts';
import { getRun } from '../lookup/ids.ts';
import { messagesFor, shownStateOfRow, summaryOfRow } from './sessionSummary.ts';

export interface SessionReads {
  listSessions(
    filter: ListFilter & { runId?: string; state?: ShownSessionState; limit?: number },
  ): Promise<SessionSummary[]>;
  /** Throws `not_found`. */
  getSession(sessionId: string): Promise<SessionDetail>;
  /** Throws `not_found`. */
  getRow(sessionId: string): Promise<SessionRow>;
}

export function createSessionReads(parts: {
  database: Pick<Database, 'drizzle'>;
  engine: Pick<RunEngine, 'readRun' | 'openRuns'>;
}): SessionReads {
  const { engine } = parts;
  const db = parts.database.drizzle;

  async function getRow(sessionId: string): Promise<SessionRow> {
    const row = await readSession(db, sessionId);
    if (row) return row;
    throw new DevflowError('not_found', `There is no session ${sessionId}.`);
  }

  return {
    getRow,
    async listSessions(filter) {
      const rows = await listSessions(db, filter);
      // No row holds these, and only open runs have them.
      const open = engine
        .openRuns()
        .flatMap((run) =>
          openSessionsOf(run).map(({ id, stall }) => [id, { stall, ...messagesFor(run, id) }] as const),
        );
      const now = new Map(open);
      return rows.map((row) => summaryOfRow(row, now.get(row.id) ?? { stall: null }));
    },
    async getSession(sessionId) {
      const row = await getRow(sessionId);
      return sessionDetail(row, await getRun(engine, row.runId));
    },
  };
}

function sessionDetail(row: SessionRow, run: Run): SessionDetail {
  const { failure = null, stall = null } = run.sessions.find((session) => session.id === row.id) ?? {};
  const isOver = shownStateOfRow(row) === 'ENDED';
  const phase = run.phases.findLast((candidate) =>
    candidate.assignments.some((assignment) => assignment.sessionId === row.id),
  );
  return {
    ...summaryOfRow(row, isOver ? { stall: null } : { stall, ...messagesFor(run, row.id) }),
    phaseKey: phase?.key ?? null,
    expectedArtifactPath: row.expectedArtifactPath,
    expectedSchema: row.expectedSchema,
    panePid: row.lastKnownPanePid,
    tmuxSession: row.tmuxSession,
    tmuxWindow: row.tmuxWindow,
    lastTranscriptSeq: row.lastCaptureSeq,
    failure: failure && { code: failure.code, reason: failure.reason },
    recoveryHint: row.state === 'FAILED_NEEDS_HUMAN' && !isOver ? hintOf(failure) : null,
  };
}

/** The event of a second failure carries no hint. */
function hintOf(failure: Run['sessions'][number]['failure']): string | null {
  return failure?.hint ?? CATALOGUE[failure?.code as ErrorCode]?.hint ?? null;
}
