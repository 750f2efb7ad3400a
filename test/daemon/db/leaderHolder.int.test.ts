import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import { connectClient } from '../../../daemon/db/connect.ts';
import { type Leadership, takeLeadership } from '../../../daemon/db/leader.ts';
import { type LeaderProcess, leaderProcess, sessionNameOf } from '../../../daemon/db/leaderProcess.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { event, givenRuns } from './given.ts';

const db = useDatabase();
const onLost = (error: Error) => {
  throw error;
};
const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

/** Leads until the end of the test. */
async function lead(over: Partial<Parameters<typeof takeLeadership>[1]> = {}): Promise<Leadership> {
  const leadership = await takeLeadership(db(), { host: 'h1', onLost, ...over });
  endings.push(leadership.release);
  return leadership;
}

async function givenProcess(): Promise<{ pid: number; end(): Promise<void> }> {
  const child: ChildProcess = spawn('sleep', ['600'], { stdio: 'ignore' });
  await once(child, 'spawn');
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  endings.push(end);
  return { pid: child.pid as number, end };
}

interface Held {
  name: string;
  pid: number;
  machine?: string;
  shared?: boolean;
  silentS?: number;
}

/** A session that holds the lock of the host h1 as a daemon does that fell silent. */
async function givenHolder({ name, pid, machine = hostname(), shared = false, silentS = 60 }: Held) {
  const client = new pg.Client(db().connection);
  const hasEnded = vi.fn();
  client.on('error', hasEnded);
  await connectClient(client);
  endings.push(() => client.end().catch(() => {}));
  await client.query(`SELECT set_config('application_name', $1, false)`, [name]);
  const lock = (key: string, mode = '') =>
    client.query(`SELECT pg_advisory_lock${mode}(hashtextextended('${key}', 0))`);
  await (shared ? lock('devflow:session-manager', '_shared') : lock('devflow:session-manager'));
  if (shared) await lock('devflow:session-manager:h1');
  const { rows } = await client.query(
    `INSERT INTO daemon_lease (host, epoch, pid, machine, version, led_alone, taken_at, beat_at)
     VALUES ('h1', 7, $1, $2, '1.2.3', $3, now() - interval '1 day', now() - make_interval(secs => $4))
     RETURNING pg_backend_pid() AS backend`,
    [pid, machine, !shared, silentS],
  );
  return { hasEnded, backend: rows[0].backend as number };
}

/** One whose process has ended, and another that has its pid by now. */
async function givenGone(over: Partial<LeaderProcess> & Partial<Held> = {}) {
  const { pid, end } = await givenProcess();
  const name = sessionNameOf({ ...leaderProcess('h1', pid), ...over });
  await end();
  return givenHolder({ name, pid, ...over });
}

test.each([false, true])(
  'ends the session of a daemon whose process is gone, and fences it; shared: %s',
  async (shared) => {
    const [runId = ''] = await givenRuns(db(), 1);
    const { hasEnded } = await givenGone({ shared });
    const onEnded = vi.fn();
    const next = await lead({ shared, onEnded });
    expect(onEnded.mock.calls).toEqual([[expect.objectContaining({ host: 'h1', version: '1.2.3' })]]);
    await expect.poll(() => hasEnded.mock.calls[0]).toEqual([expect.objectContaining({ code: '57P01' })]);
    expect(next.epoch).toBeGreaterThan(7);
    const former = createCommitter(db().connection, { host: shared ? 'h1' : null, epoch: 7 });
    await expect(former.commit({ runId, expectedSeq: 1, events: [event('a')] })).rejects.toMatchObject({
      code: 'fenced',
    });
    await former.close();
  },
);

test('waits until the lease of such a daemon has run out', async () => {
  const { hasEnded } = await givenGone({ silentS: 0 });
  await lead({ ttlMs: 300 });
  await expect.poll(() => hasEnded.mock.calls.length).toBeGreaterThan(0);
});

test('before it migrates a database of several hosts, too', async () => {
  await givenGone({ shared: true });
  const migration = { run: vi.fn(async () => {}), pending: async () => 1 };
  await lead({ shared: true, migration });
  expect(migration.run).toHaveBeenCalledOnce();
});

test('a pid that another process has got, and a boot before this one, are gone, too', async () => {
  const { pid } = await givenProcess();
  const own = leaderProcess('h1', pid);
  await givenHolder({ name: sessionNameOf({ ...own, start: '00000000' }), pid });
  await (await lead()).release();
  await db().pool.query('DELETE FROM daemon_lease');
  await givenHolder({ name: sessionNameOf({ ...own, boot: '00000000' }), pid });
  await (await lead()).release();
});

test('leaves a daemon alone that runs, and says what to do with it', async () => {
  const { pid } = await givenProcess();
  const { hasEnded } = await givenHolder({ name: sessionNameOf(leaderProcess('h1', pid)), pid });
  await expect(lead()).rejects.toMatchObject({
    code: 'daemon_running',
    message: expect.stringContaining('has not renewed its lease for 60 s: it runs, but hangs.'),
    recoveryHint: expect.stringContaining(`kill -KILL ${pid}`),
  });
  process.kill(pid, 'SIGSTOP');
  await expect
    .poll(() => lead().catch((error) => error))
    .toMatchObject({
      message: expect.stringContaining('it is stopped (state T)'),
      recoveryHint: expect.stringContaining(`kill -CONT ${pid}`),
    });
  expect(hasEnded).not.toHaveBeenCalled();
});

test.each([
  ['another boot of another machine', { boot: '00000000', machine: 'far' }],
  ['another container', { namespace: '1' }],
  ['another host of this machine, before it started', { boot: '00000000', machine: 'far', host: '00000000' }],
])('leaves a daemon alone of %s, and names no pid to kill', async (_what, over) => {
  const { hasEnded, backend } = await givenGone(over);
  const error = await lead().catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'daemon_running' });
  if (!('host' in over)) {
    expect(error.message).toContain('it is stopped, or it hangs, or its machine is away');
    expect(error.recoveryHint).toContain(`pg_terminate_backend(${backend})`);
  }
  expect(error.recoveryHint).not.toContain('kill');
  expect(hasEnded).not.toHaveBeenCalled();
});

test('says that a daemon starts whose lease is still of a former one', async () => {
  const { pid } = await givenProcess();
  await givenHolder({ name: sessionNameOf(leaderProcess('h1', process.pid)), pid });
  await expect(lead()).rejects.toMatchObject({
    code: 'daemon_running',
    message: 'Another devflow daemon is starting on this database.',
  });
});

test('takes the lock of an older devflow whose process is gone, and looks at a pid before it names it', async () => {
  const { pid, end } = await givenProcess();
  const { hasEnded } = await givenHolder({ name: 'devflow', pid });
  await expect(lead()).rejects.toMatchObject({
    message: expect.stringContaining(`the command of pid ${pid} is now: sleep 600.`),
    recoveryHint: expect.stringContaining('Leave another program alone.'),
  });
  await end();
  await lead();
  await expect.poll(() => hasEnded.mock.calls.length).toBeGreaterThan(0);
});

test('says who may end the session if this role may not', async () => {
  const { backend } = await givenGone();
  const role = `limited_${process.pid}`;
  await db().pool.query(`CREATE ROLE ${role}; GRANT SELECT ON daemon_lease TO ${role}`);
  endings.push(() => db().pool.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`));
  const connection = { ...db().connection, options: `-c role=${role}` };
  await expect(takeLeadership({ connection }, { host: 'h1', onLost })).rejects.toMatchObject({
    code: 'daemon_running',
    message: expect.stringContaining('its process is gone, but the database still has its session.'),
    recoveryHint: expect.stringContaining(`pg_terminate_backend(${backend})`),
  });
});
