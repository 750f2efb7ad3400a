import { expect, test, vi } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import { takeLeadership } from '../../../daemon/db/leader.ts';
import { listHosts } from '../../../daemon/store/hosts.ts';
import { createDatabaseClock } from '../../../daemon/system/databaseClock.ts';
import { eventually } from '../../helpers/eventually.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { event, givenDamage, givenRuns } from './given.ts';

const db = useDatabase();
const unexpected = (error: Error) => {
  throw error;
};

async function endLeader(): Promise<void> {
  await db().pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
}

test('lets one daemon lead; names it to the other, which leads after the release', async () => {
  const first = await takeLeadership(db(), { onLost: unexpected, version: '1.2.3' });
  const second = takeLeadership(db(), { onLost: unexpected });
  await expect(second).rejects.toMatchObject({
    code: 'daemon_running',
    message: expect.stringMatching(
      new RegExp(`pid ${process.pid} on .*, version 1\\.2\\.3\\) has led this database since 2`),
    ),
    data: { pid: process.pid, version: '1.2.3' },
  });
  await first.release();
  const third = await takeLeadership(db(), { onLost: unexpected });
  expect(third.epoch).toBeGreaterThan(first.epoch);
  await third.release();
});

test.each([true, false])(
  'tells a daemon that stopped in order from one that fell silent; shared: %s',
  async (shared) => {
    const stateOf = async () => (await listHosts(db().pool)).find(({ id }) => id === 'h1')?.state;
    const former = await takeLeadership(db(), { host: 'h1', shared, onLost: unexpected });
    expect(await stateOf()).toBe('ready');
    await former.release();
    expect(await stateOf()).toBe('stopped');
    const next = await takeLeadership(db(), { host: 'h1', shared, onLost: unexpected });
    expect(await stateOf()).toBe('ready');
    await next.release();
  },
);

test('lists a host whose daemon was last there a year ago', async () => {
  await (await takeLeadership(db(), { host: 'h1', shared: true, onLost: unexpected })).release();
  await db().pool.query(`UPDATE daemon_lease SET beat_at = now() - interval '1 year'`);
  const [host] = await listHosts(db().pool);
  expect(host).toMatchObject({ id: 'h1', state: 'stopped' });
  expect(host?.silentMs).toBeGreaterThan(364 * 24 * 60 * 60_000);
});

test('lets exactly one of five concurrent daemons lead', async () => {
  const tries = await Promise.allSettled(Array.from({ length: 5 }, () => takeLeadership(db(), { onLost: unexpected })));
  const leaders = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(leaders).toHaveLength(1);
  await leaders[0]?.release();
});

test('renews the lease', async () => {
  const leader = await takeLeadership(db(), { onLost: unexpected, beatMs: 20 });
  const beat = async () => (await db().pool.query('SELECT beat_at FROM daemon_lease')).rows[0].beat_at.getTime();
  const first = await beat();
  await expect.poll(beat).toBeGreaterThan(first);
  await leader.release();
});

test('reports a lost connection once; the next daemon leads and the former one is fenced', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const onLost = vi.fn();
  const former = await takeLeadership(db(), { onLost });
  const committer = createCommitter(db().connection, { epoch: former.epoch });
  await committer.commit({ runId, expectedSeq: 1, events: [event('a')] });
  await endLeader();
  await eventually(() => expect(onLost).toHaveBeenCalled());
  const next = await takeLeadership(db(), { onLost: unexpected });
  await expect(committer.commit({ runId, expectedSeq: 2, events: [event('b')] })).rejects.toMatchObject({
    code: 'fenced',
  });
  await former.release();
  expect(onLost.mock.calls).toEqual([[expect.objectContaining({ code: 'db_unreachable' })]]);
  await Promise.all([committer.close(), next.release()]);
});

test('loses the leadership if the lease cannot be renewed within the TTL', async () => {
  const onLost = vi.fn();
  const leader = await takeLeadership(db(), { onLost, ttlMs: 150, beatMs: 20 });
  const blocker = await db().pool.connect();
  await blocker.query('BEGIN; SELECT * FROM daemon_lease FOR UPDATE');
  await eventually(() => expect(onLost).toHaveBeenCalledOnce());
  expect(onLost.mock.calls[0]?.[0].message).toContain('a beat was not written within 150 ms');
  await blocker.query('ROLLBACK');
  blocker.release();
  await leader.release();
});

test('loses the leadership to a lease of another epoch', async () => {
  const onLost = vi.fn();
  const leader = await takeLeadership(db(), { onLost, beatMs: 20 });
  await db().pool.query('UPDATE daemon_lease SET epoch = epoch + 1');
  await eventually(() => expect(onLost).toHaveBeenCalledOnce());
  expect(onLost.mock.calls[0]?.[0].message).toContain('another daemon has taken over');
  await leader.release();
});

test('loses the leadership of a database that went back in time', async () => {
  const onLost = vi.fn();
  const leader = await takeLeadership(db(), { onLost, beatMs: 20 });
  // As in a backup of this very daemon.
  await db().pool.query(`UPDATE daemon_lease SET beat_at = beat_at - interval '1 hour'`);
  await eventually(() => expect(onLost).toHaveBeenCalledOnce());
  expect(onLost.mock.calls[0]?.[0]).toMatchObject({
    code: 'db_unreachable',
    message: expect.stringContaining('the database is in an earlier state than before'),
  });
  await leader.release();
});

test('no lease of a restored database has the epoch of one that it has lost', async () => {
  const first = await takeLeadership(db(), { onLost: unexpected });
  await first.release();
  await db().pool.query('UPDATE daemon_lease SET epoch = 1');
  const { rows } = await db().pool.query('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now');
  const next = await takeLeadership(db(), { onLost: unexpected });
  expect(next.epoch).toBeGreaterThan(first.epoch);
  expect(next.epoch).toBeGreaterThanOrEqual(Math.floor(rows[0].now));
  await next.release();
});

test("learns the database's time and records how far this machine's clock is off", async () => {
  const clock = createDatabaseClock({ now: () => new Date(Date.now() + 90_000) });
  const leader = await takeLeadership(db(), { onLost: unexpected, host: 'h1', time: clock, beatMs: 20 });
  await expect.poll(async () => (await listHosts(db().pool))[0]?.clockSkewMs).toBeGreaterThan(80_000);
  const { rows } = await db().pool.query('SELECT $1 <= clock_timestamp() AS "isPast"', [clock.now()]);
  expect(rows).toEqual([{ isPast: true }]);
  await leader.release();
});

test('names damage of the lease', async () => {
  const onLost = vi.fn();
  const leader = await takeLeadership(db(), { onLost, beatMs: 20 });
  await givenDamage(db().pool, 'daemon_lease', 'UPDATE');
  await eventually(() => expect(onLost).toHaveBeenCalledOnce());
  expect(onLost.mock.calls[0]).toMatchObject([
    { code: 'db_damaged', message: 'The database is damaged: invalid page in block 0 of relation base/5/1.' },
  ]);
  await leader.release();
  await expect(takeLeadership(db(), { onLost })).rejects.toMatchObject({ code: 'db_damaged' });
});
