import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runs } from '../../../daemon/db/schema/index.ts';
import { listOpenSessions, listSessions, readSession, saveAttachment } from '../../../daemon/store/sessions.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { givenRuns } from '../../daemon/db/given.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';

const database = useDatabase();

test('saveAttachment writes the runtime columns and no projection', async () => {
  const { sessionId } = await givenSession(database(), { state: 'BUSY', lastPromptHash: 'h', recoveryAttempts: 2 });
  const db = database().drizzle;
  const before = await readSession(db, sessionId);
  await saveAttachment(db, sessionId, { pid: 7, tmuxSession: 'devflow-x', tmuxWindow: '@3', tmuxPane: '%4' });
  const attached = { lastKnownPanePid: 7, tmuxSession: 'devflow-x', tmuxWindow: '@3', tmuxPane: '%4' };
  expect(await readSession(db, sessionId)).toEqual({ ...before, ...attached });
  await saveAttachment(db, sessionId, {});
  expect(await readSession(db, sessionId)).toEqual(before);
});

test('listOpenSessions leaves out the sessions of runs that ended', async () => {
  const db = database().drizzle;
  const [open, over] = (await givenRuns(database(), 2)) as [string, string];
  const { sessionId: planner } = await givenSession(database(), { runId: open });
  const { sessionId: implementer } = await givenSession(database(), { runId: open, roleId: 'implementer' });
  const { sessionId: done } = await givenSession(database(), { runId: over });
  await db.update(runs).set({ state: 'completed' }).where(eq(runs.id, over));
  expect((await listOpenSessions(db)).map(({ id }) => id)).toEqual([implementer, planner]);
  expect((await listSessions(db, { runId: over })).map(({ id }) => id)).toEqual([done]);
  expect(await listSessions(db)).toHaveLength(3);
  expect(await readSession(db, derivedId('nobody'))).toBeUndefined();
});
