import { expect, test } from 'vitest';
import { createCommitter } from '../../../daemon/db/committer.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { creation, event, givenDamage, givenRuns, givenTemplate, runRow } from './given.ts';

const db = useDatabase();

test('keeps the order of calls of each run in a burst over fifty runs', async () => {
  const ids = await givenRuns(db(), 50);
  const committer = createCommitter(db().connection, { epoch: null });
  const answers = ids.flatMap((runId) =>
    Array.from({ length: 20 }, async (_, i) => {
      const { seqs } = await committer.commit({ runId, expectedSeq: i + 1, events: [event(`e${i}`)] });
      expect(seqs).toEqual([i + 2]);
    }),
  );
  await Promise.all(answers);
  await committer.close();
  await expect(committer.commit({ runId: 'x', expectedSeq: null, events: [] })).rejects.toMatchObject({
    code: 'shutting_down',
  });
});

test('only the refused member of a batch rejects', async () => {
  const templateId = await givenTemplate(db());
  const good = Array.from({ length: 5 }, () => runRow(templateId));
  const committer = createCommitter(db().connection, { epoch: null });
  await committer.commit(creation(good[0] as { id: string }));
  const results = await Promise.allSettled([
    committer.commit(creation(good[1] as { id: string })),
    committer.commit(creation(runRow(templateId, { repo_path: good[0]?.repo_path }))),
    committer.commit(creation(good[2] as { id: string })),
    committer.commit({ runId: good[0]?.id ?? '', expectedSeq: 9, events: [event('late')] }),
    committer.commit({ runId: good[0]?.id ?? '', expectedSeq: 1, events: [event('created', { payload: 'other' })] }),
    committer.commit(creation(good[3] as { id: string })),
  ]);
  expect(results.map((result) => (result.status === 'rejected' ? result.reason : result.value))).toEqual([
    { seqs: [1] },
    expect.objectContaining({ code: '23505', constraint: 'ux_active_run_repo_base' }),
    { seqs: [1] },
    expect.objectContaining({ code: 'run_moved', data: { sqlstate: 'DF003' } }),
    expect.objectContaining({ code: 'internal_state_corruption', data: { sqlstate: 'DF002' } }),
    { seqs: [1] },
  ]);
  await committer.close();
});

test('names damage of the log', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  await givenDamage(db().pool, 'run_events', 'INSERT');
  const committer = createCommitter(db().connection, { epoch: null });
  await expect(committer.commit({ runId, expectedSeq: 1, events: [event('a')] })).rejects.toMatchObject({
    code: 'db_damaged',
    message: 'The database is damaged: invalid page in block 0 of relation base/5/1.',
  });
  await committer.close();
});

test('fences a committer with an old epoch', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  await db().pool.query("INSERT INTO daemon_lease (host, epoch, pid, beat_at) VALUES ('here', 2, 1, now())");
  const former = createCommitter(db().connection, { epoch: 1 });
  await expect(former.commit({ runId, expectedSeq: 1, events: [event('a')] })).rejects.toMatchObject({
    code: 'fenced',
  });
  await former.close();
});

test('rejects queued commits when the connection is lost; the next commit reconnects', async () => {
  const [runId = '', other = ''] = await givenRuns(db(), 2);
  const committer = createCommitter({ ...db().connection, application_name: 'the-committer' }, { epoch: null });
  await committer.commit({ runId, expectedSeq: 1, events: [event('a')] });
  // Someone holds the run, so that the next call is in flight when its backend dies.
  const blocker = await db().pool.connect();
  await blocker.query(`SELECT pg_advisory_lock(hashtextextended('devflow:run-events:' || $1, 0))`, [runId]);
  const inFlight = committer.commit({ runId, expectedSeq: 2, events: [event('b')] });
  const refused = expect(inFlight).rejects.toMatchObject({ code: 'db_unreachable' });
  await expect.poll(waiting).toBe(1);
  const queued = expect(committer.commit({ runId: other, expectedSeq: 1, events: [event('a')] })).rejects.toMatchObject(
    {
      code: 'db_unreachable',
    },
  );
  await db().pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'the-committer'`,
  );
  await Promise.all([refused, queued]);
  await blocker.query('SELECT pg_advisory_unlock_all()');
  blocker.release();
  expect(await committer.commit({ runId, expectedSeq: 2, events: [event('b')] })).toEqual({ seqs: [3] });
  await committer.close();
});

async function waiting(): Promise<number> {
  const { rows } = await db().pool.query(
    `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = 'the-committer' AND wait_event_type = 'Lock'`,
  );
  return rows[0].n;
}

test('an unreachable server is db_unreachable', async () => {
  const committer = createCommitter({ ...db().connection, host: '/nowhere' }, { epoch: null });
  await expect(committer.commit({ runId: 'x', expectedSeq: null, events: [] })).rejects.toMatchObject({
    code: 'db_unreachable',
  });
  await committer.close();
});
