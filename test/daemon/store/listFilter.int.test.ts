import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { approvalRequests, runInputs, runs } from '../../../daemon/db/schema/index.ts';
import type { ListFilter } from '../../../daemon/store/listFilter.ts';
import { createLists } from '../../../daemon/store/lists.ts';
import { listSessions } from '../../../daemon/store/sessions.ts';
import { givenSession } from '../../helpers/givenSession.ts';
import { useDatabase } from '../../helpers/postgres.ts';
import { givenRuns } from '../db/given.ts';

const database = useDatabase();

/** Runs with these titles and requirements, each with a gate and a session. */
async function givenNamed(named: readonly (readonly [title: string | null, requirementsMd: string])[]) {
  const ids = await givenRuns(database(), named.length);
  const { drizzle } = database();
  for (const [nth, [title, requirementsMd]] of named.entries()) {
    const runId = ids[nth] as string;
    await drizzle.update(runs).set({ title }).where(eq(runs.id, runId));
    await drizzle.insert(runInputs).values({ runId, requirementsMd, inputHash: 'h' });
    const payload = { kind: 'gate', phaseKey: 'plan', attempt: 1 };
    const gate = { runId, gateKey: 'g', state: 'pending' as const, idempotencyKey: randomUUID(), payload };
    await drizzle.insert(approvalRequests).values(gate);
    await givenSession(database(), { runId });
  }
  return ids;
}

/** What each list finds: the places of the runs. */
async function found(ids: readonly string[], filter: ListFilter) {
  const lists = createLists(database().pool);
  const all = [
    await lists.listRuns({ ...filter, limit: 100 }),
    await lists.listApprovals(filter),
    await listSessions(database().drizzle, { ...filter, limit: 100 }),
  ];
  const places = all.map((rows) => rows.map(({ runId }) => ids.indexOf(runId)).sort());
  const counts = await Promise.all(
    (['runs', 'approvals', 'sessions'] as const).map((of) => lists.countListed(of, filter)),
  );
  for (const [nth, rows] of places.entries()) expect(counts[nth]).toBe(rows.length);
  expect(places[1]).toEqual(places[0]);
  expect(places[2]).toEqual(places[0]);
  return places[0];
}

describe('a search', () => {
  const NAMED = [
    ['Greet by name', 'Be polite.'],
    [null, '# Greet\n\nAda, 100 % of the time; a_b; c\\d; it\'s {"json": true}.'],
    [null, 'Book refunds.'],
  ] as const;

  test.each([
    ['greet', [0, 1]],
    ['GREET name', [0]],
    ['name greet', [0]],
    ['polite', [0]],
    ['%', [1]],
    ['100 %', [1]],
    ['%%%', []],
    ['a_b', [1]],
    ['axb', []],
    ['c\\d', [1]],
    ['\\'.repeat(200), []],
    ["it's", [1]],
    ['.*', []],
    ['(refunds|greet)', []],
    ["'; DROP TABLE runs; --", []],
    ['{"json":', [1]],
  ])('for %s finds its words in titles and requirements, and nothing is a wildcard', async (search, expected) => {
    const ids = await givenNamed(NAMED);
    expect(await found(ids, { search })).toEqual(expected);
  });

  test('finds ended runs beyond the limit of the list', async () => {
    const ids = await givenNamed(NAMED);
    await database().drizzle.update(runs).set({ state: 'completed' });
    const { listRuns } = createLists(database().pool);
    expect((await listRuns({ search: 'polite', limit: 1 })).map(({ runId }) => runId)).toEqual([ids[0]]);
  });
});

test('a repository is found by its key, and older runs by the checkout', async () => {
  const ids = await givenNamed([
    [null, 'a'],
    [null, 'b'],
    [null, 'c'],
  ]);
  const { drizzle } = database();
  const at = async (nth: number, repoPath: string, repository: string) =>
    drizzle
      .update(runs)
      .set({ repoPath, repository, slot: nth })
      .where(eq(runs.id, ids[nth] as string));
  await at(0, '/src/linked', '/src/main/.git');
  await at(1, '/src/main', '/src/main/.git');
  await at(2, '/src/linked', '/src/linked/.git');
  expect(await found(ids, { repository: ['/src/main', '/src/main/.git'] })).toEqual([0, 1]);
  expect(await found(ids, { repository: ['/src/linked', '/src/linked/.git'] })).toEqual([0, 2]);
  expect(await found(ids, { repository: ['/src/main', '/src/main/.git'], search: 'b' })).toEqual([1]);
  expect(await found(ids, { repository: ['/src'] })).toEqual([]);
});

test('lists name a run by its title, else by the first line of its requirements', async () => {
  const ids = await givenNamed([
    ['Mine', '# Greet'],
    [null, '\n\n# Greet by name\nMore'],
  ]);
  const lists = createLists(database().pool);
  const title = async (nth: number) => {
    const runId = ids[nth] as string;
    const [gate] = await lists.listApprovals({ runId });
    const [session] = await listSessions(database().drizzle, { runId });
    const run = (await lists.listRuns({})).find((each) => each.runId === runId);
    return [run?.title, gate?.runTitle, session?.title];
  };
  expect(await title(0)).toEqual(['Mine', 'Mine', 'Mine']);
  expect(await title(1)).toEqual(['Greet by name', 'Greet by name', 'Greet by name']);
});
