import { type Committer, createCommitter } from '../../daemon/db/committer.ts';
import { type BenchRun, makeRuns, withDatabase } from './database.ts';
import { type Bench, createSheet } from './figure.ts';

const ROUND_MS = 1_000;

/** Events appended per second by the committer that the daemon uses. */
export const append: Bench = {
  name: 'append',
  title: 'Appending events',
  reading:
    'Measured through the real committer as leader, on an embedded Postgres with fsync on. Every run has one ' +
    'writer. It waits until its event is durable before it appends the next, as a run of the engine does. With 50 ' +
    'runs the committer puts up to 50 events into one call and one fsync. "With rows" also writes the rows of the ' +
    'run and of its phase.',
  run: ({ rounds = 5 }) =>
    withDatabase(async (database, epoch) => {
      const committer = createCommitter(database.connection, { epoch });
      const sheet = createSheet();
      for (let round = -1; round < rounds; round += 1) {
        for (const count of [1, 50]) {
          for (const withRows of [false, true]) {
            const perSecond = await appendFor(ROUND_MS, committer, await makeRuns(database, count), withRows);
            // The first round warms plans and code.
            if (round >= 0) sheet.add(`${count} ${withRows}`, perSecond);
          }
        }
      }
      await committer.close();
      return [
        { name: '1 run', unit: '/s', rounds: sheet.of('1 false') },
        { name: '1 run, with rows', unit: '/s', rounds: sheet.of('1 true') },
        { name: '50 runs', unit: '/s', rounds: sheet.of('50 false'), aim: { atLeast: 4_000 } },
        { name: '50 runs, with rows', unit: '/s', rounds: sheet.of('50 true') },
      ];
    }),
};

/** One writer per run, each waiting for its own event. Returns events per second over all writers. */
export async function appendFor(
  ms: number,
  committer: Pick<Committer, 'commit'>,
  runs: readonly BenchRun[],
  withRows: boolean,
): Promise<number> {
  const begun = performance.now();
  let appended = 0;
  await Promise.all(
    runs.map(async (run) => {
      while (performance.now() - begun < ms) {
        await committer.commit(run.next(withRows));
        appended += 1;
      }
    }),
  );
  return (appended / (performance.now() - begun)) * 1_000;
}
