import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { runs } from '../../../daemon/db/schema/index.ts';
import { basesIn, endedRunsIn } from '../../../daemon/store/endedRuns.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();
const DAY = 86_400_000;

test('lists ended runs by their repository and by the time since their end', async () => {
  const { drizzle, pool } = database();
  const ids = await givenRuns(database(), 3);
  const [old = '', young = '', open = ''] = ids;
  const endAt = (ms: number) => ({ state: 'completed' as const, endedAt: new Date(Date.now() - ms) });
  await drizzle
    .update(runs)
    .set({ ...endAt(8 * DAY), title: 'Old', repository: '/a/.git' })
    .where(eq(runs.id, old));
  await drizzle
    .update(runs)
    .set({ ...endAt(DAY), title: 'Young', repository: '/b/.git' })
    .where(eq(runs.id, young));
  const listEnded = endedRunsIn(pool);
  const titles = async (filter: Parameters<typeof listEnded>[0]) =>
    (await listEnded(filter)).filter(({ runId }) => ids.includes(runId)).map(({ title }) => title);
  expect(await titles({})).toEqual(['Old', 'Young']);
  expect(await titles({ olderThanMs: 7 * DAY })).toEqual(['Old']);
  expect(await titles({ olderThanMs: 365_000 * DAY })).toEqual([]);
  expect(await titles({ repository: ['/b/.git'] })).toEqual(['Young']);
  expect((await listEnded({})).map(({ runId }) => runId)).not.toContain(open);
});

test('names open runs by the branch of devflow that they started from', async () => {
  const { drizzle, pool } = database();
  const [open = '', ended = '', plain = ''] = await givenRuns(database(), 3);
  const base = `devflow/${ended}/main`;
  await drizzle.update(runs).set({ baseBranch: base }).where(eq(runs.id, open));
  await drizzle
    .update(runs)
    .set({ baseBranch: `devflow/${plain}/main`, state: 'completed' })
    .where(eq(runs.id, ended));
  const bases = await basesIn(pool)();
  expect([bases.get(base), [...bases.values()].includes(ended), [...bases.values()].includes(plain)]).toEqual([
    open,
    false,
    false,
  ]);
});
