import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runs } from '../../../daemon/db/schema/index.ts';
import { createWebhookNotices, type NewNotice } from '../../../daemon/store/webhookNotices.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
const notice = (minute = 0): NewNotice => ({
  id: randomUUID(),
  at: at(minute),
  kind: 'decision',
  body: `body ${minute}`,
});
const outbox = (host: string | null = null, most?: number) => createWebhookNotices(database().pool, host, most);

test('gives the notices in the order in which they came, each until it is sent or given up', async () => {
  const notices = outbox();
  const [a, b, c] = [notice(3), notice(1), notice(2)];
  expect(await notices.add([a, b])).toEqual({ added: 2, dropped: 0 });
  expect(await notices.add([c])).toEqual({ added: 1, dropped: 0 });
  expect(await notices.readOldest()).toEqual({ id: a.id, at: a.at, body: a.body, tries: 0, nextAt: a.at });
  await notices.noteTry(a.id, 2, at(9));
  expect(await notices.readOldest()).toMatchObject({ id: a.id, tries: 2, nextAt: at(9) });
  await notices.noteSent(a.id, at(9));
  expect(await notices.readOldest()).toMatchObject({ id: b.id });
  await notices.noteGivenUp(b.id);
  expect(await notices.readOldest()).toMatchObject({ id: c.id });
  expect(await notices.countWaiting()).toEqual({ waiting: 1, since: c.at });
  await notices.noteSent(c.id, at(9));
  expect(await notices.readOldest()).toBeUndefined();
  expect(await notices.countWaiting()).toEqual({ waiting: 0, since: null });
  expect(await notices.readNewestAt()).toEqual(at(3));
});

test('takes the same news once, also after it was sent', async () => {
  const notices = outbox();
  const one = notice();
  await notices.add([one]);
  await notices.noteSent(one.id, at(1));
  expect(await notices.add([one])).toEqual({ added: 0, dropped: 0 });
  expect(await notices.readOldest()).toBeUndefined();
});

test('each host sends what it noted first, and no other', async () => {
  const [one, two] = [outbox('one'), outbox('two')];
  const [shared, own] = [notice(), notice(1)];
  expect(await one.add([shared])).toEqual({ added: 1, dropped: 0 });
  expect(await two.add([shared, own])).toEqual({ added: 1, dropped: 0 });
  expect(await one.readOldest()).toMatchObject({ id: shared.id });
  expect(await two.readOldest()).toMatchObject({ id: own.id });
  expect(await outbox().readOldest()).toBeUndefined();
});

test('keeps a thousand: sent ones go first, then the oldest, and says how many were not sent', async () => {
  const notices = outbox(null, 3);
  const [a, b, c, d, e] = [notice(1), notice(2), notice(3), notice(4), notice(5)];
  await notices.add([a, b, c]);
  await notices.noteSent(b.id, at(9));
  expect(await notices.add([d])).toEqual({ added: 1, dropped: 0 });
  expect(await notices.add([e])).toEqual({ added: 1, dropped: 1 });
  expect(await notices.readOldest()).toMatchObject({ id: c.id });
  expect(await notices.countWaiting()).toMatchObject({ waiting: 3 });
  // A row that went while its request was under way.
  await notices.noteSent(a.id, at(9));
  await outbox('other', 3).add([notice()]);
  expect(await notices.countWaiting()).toMatchObject({ waiting: 3 });
});

test('lists the runs that ended since, oldest first', async () => {
  const ids = await givenRuns(database(), 3);
  for (const [nth, id] of ids.entries()) {
    await database()
      .drizzle.update(runs)
      .set({ state: 'failed', endedAt: at(3 - nth) })
      .where(eq(runs.id, id));
  }
  expect(await outbox().listEndedSince(at(2))).toEqual([ids[1], ids[0]]);
  expect(await outbox().readNewestAt()).toBeUndefined();
});
