import { asc, eq, notInArray } from 'drizzle-orm';
import { TERMINAL_RUN_STATES } from '../../schemas/enums.ts';
import type { Database } from '../db/open.ts';
import { runs, tuiSessions } from '../db/schema/index.ts';

export type SessionRow = typeof tuiSessions.$inferSelect;

export async function readSession(db: Database['drizzle'], sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await db.select().from(tuiSessions).where(eq(tuiSessions.id, sessionId));
  return row;
}

/** All sessions, or those of one run, by run and role. */
export async function listSessions(db: Database['drizzle'], filter: { runId?: string } = {}): Promise<SessionRow[]> {
  return db
    .select()
    .from(tuiSessions)
    .where(filter.runId === undefined ? undefined : eq(tuiSessions.runId, filter.runId))
    .orderBy(asc(tuiSessions.runId), asc(tuiSessions.roleId));
}

/** The sessions whose agents should be alive: those of runs that something can still move. */
export async function listOpenSessions(db: Database['drizzle']): Promise<SessionRow[]> {
  const rows = await db
    .select({ session: tuiSessions })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .where(notInArray(runs.state, [...TERMINAL_RUN_STATES]))
    .orderBy(asc(tuiSessions.runId), asc(tuiSessions.roleId));
  return rows.map(({ session }) => session);
}

/** Where the agent runs, as the session manager last saw it. Projections of events are not touched. */
export async function saveAttachment(
  db: Database['drizzle'],
  sessionId: string,
  attachment: { pid?: number; tmuxSession?: string; tmuxWindow?: string; tmuxPane?: string },
): Promise<void> {
  const { pid = null, tmuxSession = null, tmuxWindow = null, tmuxPane = null } = attachment;
  await db
    .update(tuiSessions)
    .set({ lastKnownPanePid: pid, tmuxSession, tmuxWindow, tmuxPane })
    .where(eq(tuiSessions.id, sessionId));
}
