import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import type { Installation } from '../../../daemon/db/hostId.ts';
import { type LeadershipOptions, takeLeadership } from '../../../daemon/db/leader.ts';
import { hostIdOf } from '../../../schemas/config/hostSettings.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { creation, event, givenTemplate, runRow } from './given.ts';

const db = useDatabase();
const onLost = (error: Error) => {
  throw error;
};
const ONE: Installation = { id: 'one', isOfMachine: true, ownsDatabase: false };
const OTHER: Installation = { ...ONE, id: 'other' };
const lead = (installation: Installation, over: Partial<LeadershipOptions> = {}) =>
  takeLeadership(db(), { onLost, installation, ...over });
const share = (installation: Installation, host?: string) => lead(installation, { host, shared: true });
const byName = hostIdOf(hostname());

/** Leads once. */
async function led(...args: Parameters<typeof lead>): Promise<string> {
  const leadership = await lead(...args);
  await leadership.release();
  return leadership.hostId;
}

test('runs of the local engine stay with their machine when it becomes one of several hosts under another id', async () => {
  const run = runRow(await givenTemplate(db()));
  const alone = await lead(ONE);
  expect(alone.hostId).toBe(byName);
  const before = createCommitter(db().connection, alone);
  await before.commit(creation(run));
  await Promise.all([before.close(), alone.release()]);
  const laptop = await share(ONE, 'laptop');
  expect(laptop).toMatchObject({ hostId: 'laptop', ledAlone: 'laptop' });
  const writer = createCommitter(db().connection, laptop);
  await writer.commit({ runId: run.id, expectedSeq: 1, events: [event('done')] });
  await Promise.all([writer.close(), laptop.release()]);
});

test('the same for a lease of an older devflow, which knew no installations', async () => {
  await (await takeLeadership(db(), { onLost })).release();
  const laptop = await share(ONE, 'laptop');
  expect(laptop.ledAlone).toBe('laptop');
  await laptop.release();
});

test('runs of the local engine do not follow a host of another machine', async () => {
  await led(ONE, { host: 'first' });
  const second = await share(OTHER, 'second');
  expect(second.ledAlone).toBe('first');
  await second.release();
});

test('an installation keeps its id without a setting, with either engine', async () => {
  expect(await led(ONE, { host: 'laptop', shared: true })).toBe('laptop');
  expect(await led(ONE)).toBe('laptop');
  expect(await led(ONE, { shared: true })).toBe('laptop');
  expect(await led(OTHER)).toBe(byName);
});

test('a copy that nothing tells from the original keeps the name of its machine', async () => {
  await led({ ...ONE, isOfMachine: false }, { host: 'laptop' });
  await db().pool.query(`UPDATE daemon_lease SET machine = 'original'`);
  expect(await led({ ...ONE, isOfMachine: false })).toBe(byName);
});

test.each([true, false])('refuses a second installation under the id of another one; shared: %s', async (shared) => {
  await led(ONE, { host: 'vm', shared });
  const refused = {
    code: 'host_taken',
    message: `Host vm of this database is another installation of devflow, on machine ${hostname()}.`,
  };
  await expect(lead(OTHER, { host: 'vm', shared })).rejects.toMatchObject(refused);
  const running = await lead(ONE, { host: 'vm', shared });
  const other = shared ? refused : { code: 'daemon_running' };
  await expect(lead(OTHER, { host: 'vm', shared })).rejects.toMatchObject(other);
  await running.release();
});

test('of two that come at once to a lease without an installation, one is refused', async () => {
  await (await takeLeadership(db(), { onLost, host: 'vm', shared: true })).release();
  const tries = await Promise.allSettled([share(ONE, 'vm'), share(OTHER, 'vm')]);
  const leaders = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(leaders).toHaveLength(1);
  await leaders[0]?.release();
});

test('a database on this machine takes the installation that comes: its state directory was removed', async () => {
  await led({ ...ONE, ownsDatabase: true });
  expect(await led({ ...OTHER, ownsDatabase: true })).toBe(byName);
});

test('refuses another id while runs are open under the former one', async () => {
  const run = runRow(await givenTemplate(db()), { host: 'a' });
  const a = await share(ONE, 'a');
  const writer = createCommitter(db().connection, a);
  await writer.commit(creation(run));
  await Promise.all([writer.close(), a.release()]);
  await expect(share(ONE, 'b')).rejects.toMatchObject({
    code: 'config_invalid',
    message: 'temporal.host is b, but 1 open run is on this machine as host a.',
    recoveryHint: 'Set temporal.host: a until they have ended.',
  });
  await db().pool.query(`UPDATE runs SET state = 'completed'`);
  await (await share(ONE, 'b')).release();
});
