import pg from 'pg';
import postgres from 'postgres';
import type { CommitRequest, Committer } from '../../daemon/db/committer.ts';
import type { Database } from '../../daemon/db/database.ts';
import { appendFor } from './append.ts';
import { makeRuns, withDatabase } from './database.ts';
import { type Bench, createSheet } from './figure.ts';

const ROUND_MS = 1_000;
const SQL = 'SELECT devflow_commit($1::bigint, $2::text::jsonb) AS seqs';
const LARGEST_BATCH = 200;

type Send = (epoch: number, batch: string) => Promise<unknown>;

/** The same appends through both drivers, so that the choice of the driver stays measured. */
export const driver: Bench = {
  name: 'driver',
  title: 'Drivers: pg beside postgres',
  reading:
    'The same statement through the same self-clocking batch, on one connection each. The drivers take turns ' +
    'within each round. devflow uses `pg`. Speed did not decide: `postgres` ended the process when the server ' +
    'process of a reserved connection died, and stalled for about 20 s across a restart of the server.',
  run: ({ rounds = 5 }) =>
    withDatabase(async (database, epoch) => {
      const client = new pg.Client(database.connection);
      await client.connect();
      const sql = connectOther(database);
      const end = () => Promise.all([client.end(), sql.end()]);
      const drivers: Record<string, Send> = {
        pg: (...values) => client.query({ name: 'bench_append', text: SQL, values }),
        postgres: (...values) => sql.unsafe(SQL, values, { prepare: true }),
      };
      const sheet = createSheet();
      try {
        for (let round = -1; round < rounds; round += 1) {
          for (const count of [1, 50]) {
            for (const name of round % 2 === 0 ? ['pg', 'postgres'] : ['postgres', 'pg']) {
              const writer = batching(drivers[name] as Send, epoch);
              const perSecond = await appendFor(ROUND_MS, writer, await makeRuns(database, count), false);
              if (round >= 0) sheet.add(`${name} ${count}`, perSecond);
            }
          }
        }
      } finally {
        await end();
      }
      return [1, 50].flatMap((count) =>
        ['pg', 'postgres'].map((name) => ({
          name: `${name}, ${count} ${count === 1 ? 'run' : 'runs'}`,
          unit: '/s' as const,
          rounds: sheet.of(`${name} ${count}`),
        })),
      );
    }),
};

function connectOther({ connection }: Database): postgres.Sql {
  const { host, port, user, database } = connection;
  return postgres({ path: `${host}/.s.PGSQL.${port}`, user, database, max: 1, onnotice: () => {} });
}

/** The committer without its error handling: if nothing is in flight, everything that waits goes at once. */
function batching(send: Send, epoch: number): Pick<Committer, 'commit'> {
  const queue: { transition: CommitRequest; done(answer: { seqs: number[] }): void; fail(error: unknown): void }[] = [];
  let working = false;
  async function work() {
    working = true;
    await null;
    while (queue.length > 0) {
      const batch = queue.splice(0, LARGEST_BATCH);
      try {
        await send(epoch, JSON.stringify(batch.map(({ transition }) => transition)));
        for (const { done } of batch) done({ seqs: [] });
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
    }
    working = false;
  }
  return {
    commit: (transition) =>
      new Promise((done, fail) => {
        queue.push({ transition, done, fail });
        if (!working) void work();
      }),
  };
}
