import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import { takeLeadership } from '../../../daemon/db/leader.ts';
import { forgetHost, listHosts } from '../../../daemon/store/hosts.ts';
import { createRunLog } from '../../../daemon/store/runLog.ts';
import { eventually } from '../../helpers/eventually.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { creation, event, givenTemplate, runRow } from './given.ts';

const db = useDatabase();
const onLost = (error: Error) => {
  throw error;
};
const share = (host: string) => takeLeadership(db(), { host, shared: true, onLost, version: '1' });
const leadAlone = (host: string) => takeLeadership(db(), { host, onLost });

test('lets one daemon of each host work on a database', async () => {
  const [a, b] = await Promise.all([share('a'), share('b')]);
  expect([a.host, b.host]).toEqual(['a', 'b']);
  await expect(share('a')).rejects.toMatchObject({ code: 'daemon_running' });
  await a.release();
  const again = await share('a');
  expect(again.epoch).toBeGreaterThan(Math.max(a.epoch, b.epoch));
  await Promise.all([again.release(), b.release()]);
});

test('a daemon that leads alone and daemons of hosts exclude each other', async () => {
  const alone = await leadAlone('a');
  await expect(share('b')).rejects.toMatchObject({ code: 'daemon_running' });
  await alone.release();
  const one = await share('b');
  await expect(leadAlone('a')).rejects.toMatchObject({ code: 'daemon_running' });
  await one.release();
});

test('names the daemon that leads alone, not the former one of the host that wants to start', async () => {
  await (await share('b')).release();
  await db().pool.query(`UPDATE daemon_lease SET pid = 1, beat_at = now() - interval '1 hour' WHERE host = 'b'`);
  const alone = await leadAlone('a');
  await expect(share('b')).rejects.toMatchObject({ code: 'daemon_running', data: { pid: process.pid } });
  await alone.release();
});

test('remembers who led alone: the runs without a host are there', async () => {
  const first = await share('b');
  expect(first.ledAlone).toBeNull();
  await first.release();
  await (await leadAlone('old-name')).release();
  await (await leadAlone('a')).release();
  const [a, b] = await Promise.all([share('a'), share('b')]);
  expect([a.ledAlone, b.ledAlone]).toEqual(['a', 'a']);
  await Promise.all([a.release(), b.release()]);
});

test('fences the former daemon of a host, and every other once one leads alone', async () => {
  const templateId = await givenTemplate(db());
  const run = runRow(templateId, { host: 'a' });
  const lost = vi.fn();
  const former = await takeLeadership(db(), { host: 'a', shared: true, onLost: lost, beatMs: 3_600_000 });
  const writer = createCommitter(db().connection, former);
  await writer.commit(creation(run));
  // Only its connection is gone, as after a partition.
  await db().pool.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`);
  const next = await share('a');
  await expect(writer.commit({ runId: run.id, expectedSeq: 1, events: [event('x')] })).rejects.toMatchObject({
    code: 'fenced',
  });
  const other = createCommitter(db().connection, next);
  await other.commit({ runId: run.id, expectedSeq: 1, events: [event('x')] });
  await next.release();
  const alone = await leadAlone('renamed');
  await expect(other.commit({ runId: run.id, expectedSeq: 2, events: [event('y')] })).rejects.toMatchObject({
    code: 'fenced',
  });
  await Promise.all([writer.close(), other.close(), alone.release(), former.release()]);
});

test('only the host of a run writes what its agents did; a person decides anywhere', async () => {
  const templateId = await givenTemplate(db());
  const [there, unpinned] = [runRow(templateId, { host: 'b' }), runRow(templateId)];
  const [a, b] = await Promise.all([share('a'), share('b')]);
  const [fromA, fromB] = [createCommitter(db().connection, a), createCommitter(db().connection, b)];
  await fromB.commit(creation(there));
  await fromB.commit(creation(unpinned));
  const outcome = { runId: there.id, expectedSeq: 1, events: [event('done')] };
  await expect(fromA.commit(outcome)).rejects.toMatchObject({ code: 'run_elsewhere' });
  await fromA.commit({ ...outcome, events: [event('decided')], anyHost: true });
  await expect(fromB.commit(outcome)).rejects.toMatchObject({ code: 'run_moved' });
  await fromB.commit({ ...outcome, expectedSeq: 2 });
  // Nobody led alone, so nobody has it.
  await fromA.commit({ runId: unpinned.id, expectedSeq: 1, events: [event('done')] });
  await Promise.all([fromA.close(), fromB.close(), a.release(), b.release()]);
});

test('only the host that led alone writes to the runs without a host', async () => {
  const run = runRow(await givenTemplate(db()));
  const alone = await leadAlone('a');
  const before = createCommitter(db().connection, alone);
  await before.commit(creation(run));
  await Promise.all([before.close(), alone.release()]);
  const [a, b] = await Promise.all([share('a'), share('b')]);
  const [fromA, fromB] = [createCommitter(db().connection, a), createCommitter(db().connection, b)];
  const outcome = { runId: run.id, expectedSeq: 1, events: [event('done')] };
  await expect(fromB.commit(outcome)).rejects.toMatchObject({ code: 'run_elsewhere' });
  await fromA.commit(outcome);
  await fromB.commit({ runId: run.id, expectedSeq: 2, events: [event('decided')], anyHost: true });
  await Promise.all([fromA.close(), fromB.close(), a.release(), b.release()]);
});

test('two hosts may have a repository at the same path', async () => {
  const templateId = await givenTemplate(db());
  const [a, b] = [runRow(templateId, { host: 'a' }), runRow(templateId, { host: 'b' })];
  const same = { repo_path: '/repo', repository: '/repo/.git' };
  const lease = await share('a');
  const writer = createCommitter(db().connection, lease);
  await writer.commit(creation({ ...a, ...same }));
  await writer.commit(creation({ ...b, ...same }));
  await expect(writer.commit(creation({ ...runRow(templateId, { host: 'a' }), ...same }))).rejects.toMatchObject({
    constraint: 'ux_active_run_repo_base',
  });
  await Promise.all([writer.close(), lease.release()]);
});

test('tells the others which run has grown, with the commit', async () => {
  const client = new pg.Client(db().connection);
  await client.connect();
  const heard: (string | undefined)[] = [];
  client.on('notification', ({ payload }) => heard.push(payload));
  await client.query('LISTEN devflow_commits');
  const run = runRow(await givenTemplate(db()), { host: 'a' });
  const lease = await share('a');
  const writer = createCommitter(db().connection, lease);
  await writer.commit(creation(run));
  await writer.commit({ runId: run.id, expectedSeq: 1, events: [event('x'), event('y')] });
  await expect.poll(() => heard).toEqual([`a ${run.id}:1`, `a ${run.id}:3`]);
  await Promise.all([writer.close(), lease.release(), client.end()]);
});

test('a host that was forgotten is fenced, and is a host again once it has a daemon', async () => {
  const lost = vi.fn();
  const former = await takeLeadership(db(), { host: 'a', shared: true, onLost: lost, beatMs: 20 });
  const other = await share('b');
  expect(await forgetHost(db().pool, 'a')).toBe(false);
  // Other hosts cannot tell a daemon that hangs from one that is gone.
  await db().pool.query(`UPDATE daemon_lease SET stopped_at = now() WHERE host = 'a'`);
  expect(await forgetHost(db().pool, 'a')).toBe(true);
  await expect.poll(() => lost.mock.calls.length).toBe(1);
  expect(lost.mock.calls[0]?.[0]).toMatchObject({ code: 'fenced' });
  expect((await listHosts(db().pool)).map(({ id }) => id)).toEqual(['b']);
  // It takes the lock once the connection of the former one has ended.
  const next = await eventually(() => share('a'));
  expect(next.epoch).toBeGreaterThan(Math.max(former.epoch, other.epoch) + 1);
  expect((await listHosts(db().pool)).map(({ id }) => id)).toEqual(['a', 'b']);
  await Promise.all([next.release(), other.release()]);
});

test('an ended run without a report is unfinished until its host is forgotten', async () => {
  const template = await givenTemplate(db());
  const [open, ended, ours] = [
    runRow(template, { host: 'gone' }),
    runRow(template, { host: 'gone', state: 'aborted' }),
    runRow(template, { host: 'b', state: 'aborted' }),
  ];
  const gone = await share('gone');
  const b = await share('b');
  const writer = createCommitter(db().connection, b);
  for (const run of [open, ended, ours]) await writer.commit({ ...creation(run), anyHost: true });
  await gone.release();
  const { listUnfinished } = createRunLog(db().pool, writer);
  const unfinished = async () => new Set(await listUnfinished());
  expect(await unfinished()).toEqual(new Set([open.id, ended.id, ours.id]));
  await forgetHost(db().pool, 'gone');
  expect(await unfinished()).toEqual(new Set([open.id, ours.id]));
  await Promise.all([writer.close(), b.release()]);
});
