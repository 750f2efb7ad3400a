import { join } from 'node:path';
import type { Database } from '../../daemon/db/database.ts';
import { createLists } from '../../daemon/store/lists.ts';
import { readLoop } from '../../daemon/store/loops.ts';
import { SHOWN } from '../tui/captures/showcaseLoop.ts';
import { makeRuns, withDatabase } from './database.ts';
import { type Bench, createSheet } from './figure.ts';
import { ROOT, runProgram } from './place.ts';

const MANY = 1_000;

/** How long the dashboard takes to show many iterations. */
export const lab: Bench = {
  name: 'lab',
  title: 'Opening Backtest Lab with a thousand iterations',
  reading:
    'A run with 1,000 measured iterations, beside the list of 1,000 runs: what the daemon reads and writes for the answer, ' +
    'and from the answer as text to the lines of the screen, at 120 × 40. Each screen is from a process of its own, the ' +
    'median of 20 after 5 that do not count.',
  run: ({ rounds = 10 }) =>
    withDatabase(async ({ pool, ...database }) => {
      const [run] = await makeRuns({ pool, ...database }, MANY);
      const runId = run?.id ?? '';
      await giveIterations(pool, runId);
      const { listRuns } = createLists(pool);
      const sheet = createSheet();
      for (let round = -1; round < rounds; round += 1) {
        const answers = {
          loop: await timeOf(async () => (await readLoop(pool, runId))?.iterations ?? []),
          runs: await timeOf(() => listRuns({})),
        };
        const screens = await openOnce();
        if (round < 0) continue;
        for (const name of ['loop', 'runs'] as const) {
          sheet.add(`answer ${name}`, answers[name]);
          sheet.add(`screen ${name}`, screens[name]);
        }
        sheet.add('ratio', (answers.loop + screens.loop) / (answers.runs + screens.runs));
      }
      return [
        { name: '1,000 iterations, answer', unit: 'ms', rounds: sheet.of('answer loop') },
        { name: '1,000 iterations, screen', unit: 'ms', rounds: sheet.of('screen loop') },
        { name: '1,000 runs, answer', unit: 'ms', rounds: sheet.of('answer runs') },
        { name: '1,000 runs, screen', unit: 'ms', rounds: sheet.of('screen runs') },
        { name: 'iterations beside runs', unit: '×', rounds: sheet.of('ratio'), aim: { below: 1 } },
      ];
    }),
};

/** As many rows as the list has runs. */
async function giveIterations(pool: Database['pool'], runId: string): Promise<void> {
  const objective = { targets: [{ metric: 'sharpe', op: 'gte', value: 1.5 }] };
  await pool.query(`INSERT INTO run_inputs (run_id, requirements_md, objective, input_hash) VALUES ($1, '', $2, 'h')`, [
    runId,
    objective,
  ]);
  const rows = Array.from({ length: MANY }, (_, nth) => {
    const { isMet, seen, stop, targetsMet, isKept, ...row } = SHOWN.iterations[
      nth % SHOWN.iterations.length
    ] as (typeof SHOWN.iterations)[number];
    return { ...row, iteration: nth, targets_met: targetsMet, is_kept: isKept, details: { isMet, seen, stop } };
  });
  await pool.query(
    `INSERT INTO backtest_iterations (run_id, attempt, iteration, commit, tree, status, is_kept, value, deviation, gain,
       needed, targets_met, reason, hypothesis, details, started_at)
     SELECT $1, attempt, iteration, 'c', 't', status, is_kept, value, deviation, gain, needed, targets_met, reason,
       hypothesis, details, now() FROM jsonb_to_recordset($2) AS given(attempt int, iteration int, status text,
       is_kept boolean, value float, deviation float, gain float, needed float, targets_met int, reason text,
       hypothesis jsonb, details jsonb)`,
    [runId, JSON.stringify(rows)],
  );
}

/** To read the rows and to write them as text. */
async function timeOf(read: () => Promise<readonly unknown[]>): Promise<number> {
  const begun = performance.now();
  const rows = await read();
  const text = JSON.stringify(rows);
  const ms = performance.now() - begun;
  if (rows.length !== MANY) throw new Error(`the answer has ${rows.length} rows and ${text.length} characters`);
  return ms;
}

async function openOnce(): Promise<{ loop: number; runs: number }> {
  const program = join(ROOT, 'test', 'bench', 'labOnce.ts');
  const { stdout } = await runProgram(['--disable-warning=ExperimentalWarning', program]);
  return JSON.parse(stdout);
}
