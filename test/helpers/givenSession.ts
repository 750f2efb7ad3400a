import type { Database } from '../../daemon/db/database.ts';
import { tuiSessions } from '../../daemon/db/schema/index.ts';
import { derivedId } from '../../schemas/ids.ts';
import { givenRuns } from '../daemon/db/given.ts';

/** A run in the database with one session in it. */
export async function givenSession(
  database: Database,
  about: Partial<typeof tuiSessions.$inferInsert> = {},
): Promise<{ runId: string; sessionId: string }> {
  const runId = about.runId ?? ((await givenRuns(database, 1))[0] as string);
  const sessionId = derivedId(runId, 'session', about.roleId ?? 'planner', about.laneId ?? 'main');
  await database.drizzle.insert(tuiSessions).values({
    id: sessionId,
    runId,
    roleId: 'planner',
    backend: 'fake',
    cwd: '/worktree',
    state: 'READY',
    ...about,
  });
  return { runId, sessionId };
}
