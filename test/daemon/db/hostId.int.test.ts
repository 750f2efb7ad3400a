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

test('a machine without an id of its own keeps its host id under another name, also right after a crash', async () => {
  const nameless = { ...ONE, isOfMachine: false };
  await led(nameless, { host: 'mac-local' });
  await db().pool.query(`UPDATE daemon_lease SET machine = 'mac.local', stopped_at = NULL`);
  expect(await led(nameless, { shared: true })).toBe('mac-local');
});

test('of two machines that nothing but their names tells apart, each keeps its id, and a third gets its name', async () => {
  const nameless = { ...ONE, isOfMachine: false };
  for (const host of ['laptop', 'other']) await led(nameless, { host, shared: true });
  await db().pool.query(`UPDATE daemon_lease SET machine = 'other.local' WHERE host = 'other'`);
  expect(await led(nameless, { shared: true })).toBe('laptop');
  await db().pool.query(`UPDATE daemon_lease SET machine = 'laptop.local' WHERE host = 'laptop'`);
  expect(await led(nameless, { shared: true })).toBe(byName);
});

test.each([true, false])('refuses a second installation under the id of another one; shared: %s', async (shared) => {
  await led(ONE, { host: 'vm', shared });
  const message = `Host vm of this database is another installation of devflow, on machine ${hostname()}.`;
  const refused = { code: 'host_taken', message: expect.stringContaining(message) };
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

/** Leads once as a host, and leaves an open run there. Returns the id of the run. */
async function withOpenRun(installation: Installation, host: string): Promise<string> {
  const run = runRow(await givenTemplate(db()), { host });
  const leadership = await share(installation, host);
  const writer = createCommitter(db().connection, leadership);
  await writer.commit(creation(run));
  await Promise.all([writer.close(), leadership.release()]);
  return run.id;
}

test('refuses another id while runs are open under the former one, and says where the other id comes from', async () => {
  const nameless = { ...ONE, isOfMachine: false };
  await withOpenRun(nameless, 'a');
  await expect(share(nameless, 'b')).rejects.toMatchObject({
    code: 'config_invalid',
    message: 'temporal.host is b, but 1 open run of this installation is on host a.',
    recoveryHint: 'Set temporal.host: a until they have ended.',
  });
  // A second host of this installation: neither is the one that it must be.
  await db().pool.query(`INSERT INTO daemon_lease (host, epoch, pid, machine, installation, taken_at, beat_at)
    SELECT 'c', epoch + 1, pid, 'c.local', installation, taken_at, beat_at FROM daemon_lease WHERE host = 'a'`);
  await db().pool.query(`UPDATE daemon_lease SET machine = 'a.local' WHERE host = 'a'`);
  await expect(share(nameless)).rejects.toMatchObject({
    code: 'config_invalid',
    message: `Without temporal.host, the id of this host is ${byName}, but 1 open run of this installation is on host a.`,
    recoveryHint: 'Set temporal.host: a until they have ended.',
  });
  await db().pool.query(`UPDATE runs SET state = 'completed'`);
  await (await share(nameless, 'b')).release();
});

test('lets another id begin beside runs of a host that is up, and not after its daemon was killed', async () => {
  const nameless = { ...ONE, isOfMachine: false };
  await withOpenRun(nameless, 'a');
  const original = await share(nameless, 'a');
  // A copy of that machine.
  expect(await led(nameless, { host: 'b', shared: true })).toBe('b');
  await original.release();
  await db().pool.query(`UPDATE daemon_lease SET stopped_at = NULL, beat_at = now() WHERE host = 'a'`);
  await expect(share(nameless, 'b')).rejects.toMatchObject({ code: 'config_invalid' });
});

test.each([true, false])('a take-over gives the host and its runs to this installation; shared: %s', async (shared) => {
  const runId = await withOpenRun(ONE, 'vm');
  await expect(lead(OTHER, { host: 'vm', shared })).rejects.toMatchObject({
    code: 'host_taken',
    recoveryHint: expect.stringContaining('devflow up --take-host'),
    data: { host: 'vm', machine: hostname(), installation: 'one', isUp: false },
  });
  const taken: object[] = [];
  const onTaken = (from: object) => taken.push(from);
  const leadership = await lead(OTHER, { host: 'vm', shared, takeFrom: 'one', onTaken });
  expect(taken).toEqual([{ host: 'vm', machine: hostname() }]);
  const writer = createCommitter(db().connection, leadership);
  await writer.commit({ runId, expectedSeq: 1, events: [event('done')] });
  await Promise.all([writer.close(), leadership.release()]);
  // The next start needs no permission, and the former installation is the other one now.
  expect(await led(OTHER, { host: 'vm', shared, onTaken })).toBe('vm');
  expect(taken).toHaveLength(1);
  await expect(lead(ONE, { host: 'vm', shared })).rejects.toMatchObject({ code: 'host_taken' });
});

test('takes over no host that is up, nor one of another installation than the person saw', async () => {
  const take = { host: 'vm', shared: true, takeFrom: 'one' };
  const running = await lead(ONE, { host: 'vm', shared: true });
  await expect(lead(OTHER, take)).rejects.toMatchObject({
    code: 'host_taken',
    message: `Host vm of this database is another installation of devflow, on machine ${hostname()}. It was up less than 5 s ago.`,
    data: { isUp: true },
    recoveryHint: expect.stringMatching(/^Give this machine an id of its own .* try again/),
  });
  await running.release();
  // Its daemon was killed just now.
  await db().pool.query('UPDATE daemon_lease SET stopped_at = NULL, beat_at = now()');
  await expect(lead(OTHER, take)).rejects.toMatchObject({ code: 'host_taken', data: { isUp: true } });
  await db().pool.query(`UPDATE daemon_lease SET beat_at = now() - interval '6 s'`);
  await expect(lead(OTHER, { ...take, takeFrom: 'third' })).rejects.toMatchObject({ code: 'host_taken' });
  expect(await led(OTHER, take)).toBe('vm');
});

test('a session that still holds the lock of a silent host keeps it from a take-over', async () => {
  const hung = await lead(ONE, { host: 'vm', shared: true, beatMs: 3_600_000 });
  await db().pool.query(`UPDATE daemon_lease SET beat_at = now() - interval '1 min'`);
  const take = { host: 'vm', shared: true, takeFrom: 'one' };
  await expect(lead(OTHER, take)).rejects.toMatchObject({ code: 'daemon_running' });
  await hung.release();
});

test('of two that take over at once, one is refused', async () => {
  await led(ONE, { host: 'vm', shared: true });
  const others = ['other', 'third'].map((id) => lead({ ...ONE, id }, { host: 'vm', shared: true, takeFrom: 'one' }));
  const tries = await Promise.allSettled(others);
  const leaders = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(leaders).toHaveLength(1);
  await leaders[0]?.release();
});
