import { and, asc, desc, eq, ilike, inArray, isNull, notInArray, or, sql } from 'drizzle-orm';
import {
  type LaneState,
  type RunState,
  type ShownSessionState,
  TERMINAL_LANE_STATES,
  TERMINAL_RUN_STATES,
} from '../../schemas/enums.ts';
import { TITLE_WITHIN } from '../../schemas/text/titleOf.ts';
import type { Database } from '../db/database.ts';
import { lanes, runInputs, runs, tuiSessions } from '../db/schema/index.ts';
import { type ListFilter, patternsOf, shownTitle } from './listFilter.ts';

const isRunOpen = notInArray(runs.state, [...TERMINAL_RUN_STATES]);
/** The lane `main` has no row. */
const isLaneOpen = or(isNull(lanes.state), notInArray(lanes.state, [...TERMINAL_LANE_STATES]));
const isOpen = and(isRunOpen, isLaneOpen);
const isEnded = sql`not (${isOpen})`;
const ofSession = and(eq(lanes.runId, tuiSessions.runId), eq(lanes.laneId, tuiSessions.laneId));

/** By run, role instance and lane: `main` first, and lane 2 before lane 10. */
const inRun = [
  asc(tuiSessions.runId),
  asc(tuiSessions.roleId),
  asc(sql`length(${tuiSessions.laneId})`),
  asc(tuiSessions.laneId),
];

/** A session with the repository and state of its run, and the state of its lane; null for `main`. */
export type SessionRow = typeof tuiSessions.$inferSelect & {
  repoPath: string;
  /** The title of its run. */
  title: string;
  /** The host of its run, as recorded. */
  host: string | null;
  runState: RunState;
  laneState: LaneState | null;
};

export async function readSession(db: Database['drizzle'], sessionId: string): Promise<SessionRow | undefined> {
  const [row] = await selectSessions(db).where(eq(tuiSessions.id, sessionId));
  return row && flat(row);
}

/**
 * All sessions, or those of one run: newest run first, by role and lane. A limit keeps the newest sessions and all those of open runs.
 * A session of an ended run or lane is `ENDED`, whatever its last state was.
 */
export async function listSessions(
  db: Database['drizzle'],
  { runId, state, limit, ...wanted }: ListFilter & { runId?: string; state?: ShownSessionState; limit?: number } = {},
): Promise<SessionRow[]> {
  const isAsked = and(
    runId === undefined ? undefined : eq(tuiSessions.runId, runId),
    state === undefined ? undefined : isShown(state),
    ...isWanted(wanted),
  );
  const order = [desc(runs.createdAt), ...inRun];
  const newest = db
    .select({ id: tuiSessions.id })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .leftJoin(runInputs, eq(runInputs.runId, runs.id))
    .leftJoin(lanes, ofSession)
    .where(isAsked)
    .orderBy(...order)
    .limit(limit ?? 0);
  const isListed = limit === undefined ? undefined : or(isRunOpen, inArray(tuiSessions.id, newest));
  const rows = await selectSessions(db)
    .where(and(isAsked, isListed))
    .orderBy(...order);
  return rows.map(flat);
}

/** As `IS_WANTED` (`listFilter.ts`). */
function isWanted({ repository, search }: ListFilter) {
  const keys = repository && [...repository];
  const text = sql`concat_ws(E'\\n', ${runs.title}, ${runInputs.requirementsMd})`;
  return [
    keys && or(inArray(runs.repository, keys), inArray(runs.repoPath, keys)),
    ...(search === undefined ? [] : patternsOf(search).map((pattern) => ilike(text, pattern))),
  ];
}

function isShown(state: ShownSessionState) {
  return state === 'ENDED' ? isEnded : and(isOpen, eq(tuiSessions.state, state));
}

/** The sessions whose agents should be alive: those of open runs whose lanes go on. */
export async function listOpenSessions(db: Database['drizzle']): Promise<SessionRow[]> {
  const rows = await selectSessions(db)
    .where(isOpen)
    .orderBy(...inRun);
  return rows.map(flat);
}

function selectSessions(db: Database['drizzle']) {
  return db
    .select({
      session: tuiSessions,
      repoPath: runs.repoPath,
      title: runs.title,
      requirements: sql<string | null>`left(${runInputs.requirementsMd}, ${sql.raw(String(TITLE_WITHIN))})`,
      host: runs.host,
      runState: runs.state,
      laneState: lanes.state,
    })
    .from(tuiSessions)
    .innerJoin(runs, eq(runs.id, tuiSessions.runId))
    .leftJoin(runInputs, eq(runInputs.runId, runs.id))
    .leftJoin(lanes, ofSession);
}

function flat({
  session,
  title,
  requirements,
  ...facts
}: Awaited<ReturnType<typeof selectSessions>>[number]): SessionRow {
  return { ...session, ...facts, title: shownTitle(title, requirements) };
}

/** Saves where the agent runs. Does not touch projections of events. */
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
