import { expect, test } from 'vitest';
import type { CommitRequest } from '../../../daemon/db/committer.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { creation, event, givenRuns, givenTemplate, runRow } from './given.ts';

const db = useDatabase();

async function commit(batch: CommitRequest[], epoch: number | null = null): Promise<number[][]> {
  const { rows } = await db().pool.query('SELECT devflow_commit($1, $2) AS seqs', [epoch, JSON.stringify(batch)]);
  return rows[0].seqs;
}

async function log(runId: string) {
  const { rows } = await db().pool.query(
    'SELECT seq, type, idempotency_key AS key, payload, ts FROM run_events WHERE run_id = $1 ORDER BY seq',
    [runId],
  );
  return rows;
}

const failsWith = (code: string) => expect.objectContaining({ code });

test('eight concurrent writers on one run lose no event and leave no gap in seq', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const writers = Array.from({ length: 8 }, async (_, w) => {
    const seqs: number[] = [];
    for (let i = 0; i < 200; i++) {
      const [answer = []] = await commit([{ runId, expectedSeq: null, events: [event(`w${w}-${i}`)] }]);
      seqs.push(...answer);
    }
    return seqs;
  });
  const acknowledged = (await Promise.all(writers)).flat().sort((a, b) => a - b);
  expect(acknowledged).toEqual(Array.from({ length: 1600 }, (_, i) => i + 2));
  expect((await log(runId)).map(({ seq }) => seq)).toEqual([1, ...acknowledged]);
});

test('writers of crossing batches do not deadlock', async () => {
  const ids = await givenRuns(db(), 6);
  const write = (name: string, order: string[]) =>
    Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        commit(order.map((runId) => ({ runId, expectedSeq: null, events: [event(`${name}${i}`)] }))),
      ),
    );
  await Promise.all([write('a', ids), write('b', ids.toReversed())]);
  for (const id of ids) expect(await log(id)).toHaveLength(61);
});

test('a repeated key with the same payload returns its seq and reverts no row', async () => {
  const row = runRow(await givenTemplate(db()));
  expect(await commit([creation(row)])).toEqual([[1]]);
  await commit([
    { runId: row.id, expectedSeq: 1, events: [event('bound')], rows: { runs: [{ ...row, state: 'bound' }] } },
  ]);
  expect(await commit([creation(row)])).toEqual([[1]]);
  expect(await log(row.id)).toHaveLength(2);
  expect((await db().pool.query('SELECT state FROM runs')).rows).toEqual([{ state: 'bound' }]);
});

test('refuses a repeated key with another payload or type', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const again = (over: object) => commit([{ runId, expectedSeq: null, events: [event('created', over)] }]);
  await expect(again({ payload: { other: 1 } })).rejects.toEqual(failsWith('DF002'));
  await expect(again({ type: 'run.other' })).rejects.toEqual(failsWith('DF002'));
  const twice = { runId, expectedSeq: null, events: [event('x'), event('x')] };
  await expect(commit([twice])).rejects.toEqual(failsWith('DF002'));
  expect(await log(runId)).toHaveLength(1);
});

test('refuses a wrong expectedSeq, unless all events are in the log', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  await expect(commit([{ runId, expectedSeq: 0, events: [event('a')] }])).rejects.toEqual(failsWith('DF003'));
  await expect(commit([{ runId, expectedSeq: 0, events: [event('created'), event('a')] }])).rejects.toEqual(
    failsWith('DF003'),
  );
  expect(await commit([{ runId, expectedSeq: 7, events: [event('created')] }])).toEqual([[1]]);
  expect(await commit([{ runId, expectedSeq: 1, events: [event('created'), event('a')] }])).toEqual([[1, 2]]);
});

test('applies transitions of one run in one batch in order; answers a repeated one', async () => {
  const [runId = '', other = ''] = await givenRuns(db(), 2);
  const seqs = await commit([
    { runId, expectedSeq: 1, events: [event('a'), event('b')] },
    { runId: other, expectedSeq: 1, events: [event('a')] },
    { runId, expectedSeq: 3, events: [event('c')] },
    { runId, expectedSeq: 3, events: [event('c')] },
    { runId: other, expectedSeq: 2, events: [] },
  ]);
  expect(seqs).toEqual([[2, 3], [2], [4], [4], []]);
  expect((await log(runId)).map(({ key }) => key)).toEqual(['created', 'a', 'b', 'c']);
});

test('reads times and payloads back unchanged', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const payload = { text: 'ü \\ "\n', deep: [{ n: 1.5, none: null }] };
  await commit([{ runId, expectedSeq: 1, events: [event('a', { payload, ts: '2026-03-04T05:06:07.891Z' })] }]);
  expect((await log(runId))[1]).toMatchObject({ payload, ts: new Date('2026-03-04T05:06:07.891Z') });
});

test('only the leader of the current epoch writes', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const batch = [{ runId, expectedSeq: 1, events: [event('a')] }];
  await expect(commit(batch, 1)).rejects.toEqual(failsWith('DF001'));
  await db().pool.query("INSERT INTO daemon_lease (host, epoch, pid, beat_at) VALUES ('here', 4, 1, now())");
  await expect(commit(batch, 3)).rejects.toEqual(failsWith('DF001'));
  expect(await commit(batch, 4)).toEqual([[2]]);
});

test('writes a batch completely or not at all', async () => {
  const [runId = ''] = await givenRuns(db(), 1);
  const good = { runId, expectedSeq: 1, events: [event('a')] };
  const bad = { runId: '00000000-0000-4000-8000-000000000000', expectedSeq: null, events: [event('a')] };
  await expect(commit([good, bad])).rejects.toEqual(failsWith('23503'));
  expect(await log(runId)).toHaveLength(1);
});

test('a second active run on one repository and branch violates the named index; an ended one makes room', async () => {
  const templateId = await givenTemplate(db());
  const first = runRow(templateId, { repo_path: '/r' });
  const second = runRow(templateId, { repo_path: '/r' });
  await commit([creation(first)]);
  await expect(commit([creation(second)])).rejects.toMatchObject({
    code: '23505',
    constraint: 'ux_active_run_repo_base',
  });
  const end = {
    runId: first.id,
    expectedSeq: 1,
    events: [event('end')],
    rows: { runs: [{ ...first, state: 'aborted' }] },
  };
  expect(await commit([end, creation(second)])).toEqual([[2], [1]]);
  const beside = runRow(templateId, { repo_path: '/r', slot: 1 });
  expect(await commit([creation(beside)])).toEqual([[1]]);
});

test('counts all worktrees of a repository as one repository', async () => {
  const templateId = await givenTemplate(db());
  const rows = ['/r', '/linked'].map((repo_path) => runRow(templateId, { repo_path, repository: '/r/.git' }));
  await commit([creation(rows[0] as { id: string })]);
  await expect(commit([creation(rows[1] as { id: string })])).rejects.toMatchObject({
    constraint: 'ux_active_run_repo_base',
  });
});
