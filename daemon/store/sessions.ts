import { and, asc, desc, eq, inArray, notInArray, or } from 'drizzle-orm';
import { type SessionState, TERMINAL_RUN_STATES } from '../../schemas/enums.ts';
import type { Database } from '../db/open.ts';
import { runs, tuiSessions } from '../db/schema/index.ts';

const isOpen = notInArray(runs.state, [...TERMINAL_RUN_STATES]);

export type SessionRow = typeof tuiSessions.$inferSelect;

export async function readSession(db: Database['drizzle'], sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await db.select().from(tuiSessions).where(eq(tuiSessions.id, sessionId));
  return row;
}

/**
 * All sessions, or those of one run: the newest run's first, by role. With a limit the newest are taken, and those of open
 * runs, however many and old.
 */
export async function listSessions(
  db: Database['drizzle'],
  { runId, state, limit }: { runId?: string; state?: SessionState; limit?: number } = {},
): Promise<SessionRow[]> {
  const isAsked = and(
    runId === undefined ? undefined : eq(tuiSessions.runId, runId),
    state === undefined ? undefined : eq(tuiSessions.state, state),
  );
  const order = [desc(runs.createdAt), asc(tuiSessions.runId), asc(tuiSessions.roleId)];
  const newest = db
    .select({ id: tuiSessions.id })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .where(isAsked)
    .orderBy(...order)
    .limit(limit ?? 0);
  const isListed = limit === undefined ? undefined : or(isOpen, inArray(tuiSessions.id, newest));
  const rows = await db
    .select({ session: tuiSessions })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .where(and(isAsked, isListed))
    .orderBy(...order);
  return rows.map(({ session }) => session);
}

/** The sessions whose agents should be alive: those of runs that something can still move. */
export async function listOpenSessions(db: Database['drizzle']): Promise<SessionRow[]> {
  const rows = await db
    .select({ session: tuiSessions })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .where(isOpen)
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
