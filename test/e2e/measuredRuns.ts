import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import type { TestDaemon } from '../helpers/daemon.ts';
import { type DriveOptions, startRun } from '../helpers/drive.ts';
import { payloads } from './support.ts';

/**
 * What the command measures depends on which changes of the fake agent are in the tree, and on nothing else. It counts its runs
 * outside of the worktree.
 */
const MEASURE = `
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
const [table, ran] = process.argv.slice(2);
const { DEVFLOW_METRICS, DEVFLOW_SPLIT, DEVFLOW_FROM } = process.env;
const changes = existsSync('fake') ? readdirSync('fake').map((name) => name.replace(/\\D/g, '')).sort() : [];
const state = changes.at(-1) ?? 'base';
appendFileSync(ran, \`\${state} \${DEVFLOW_SPLIT}\\n\`);
const values = JSON.parse(readFileSync(table, 'utf8'));
const value = (DEVFLOW_SPLIT === 'holdout' ? values.holdout : undefined) ?? values[state];
if (typeof value === 'string') throw new Error(value);
writeFileSync('left-behind.txt', state);
const trades = Array.from({ length: 40 }, (_, at) => ({ profit: at % 4 === 0 ? -0.01 : 0.01, exitReason: at % 8 === 0 ? 'time' : 'target' }));
writeFileSync(DEVFLOW_METRICS + '/metrics.json', JSON.stringify({
  metrics: { sharpe: value, trades: 40 }, seed: 7, data: { from: DEVFLOW_FROM }, trades, equity: [100, 90, 110],
}));
`;

interface Given {
  /** By the newest change in the tree: what is measured, or how the command fails. */
  values: Record<string, number | string>;
  objective?: Record<string, unknown>;
}

/** A repository with the command, and a run that measures it. */
export async function startMeasured(daemon: TestDaemon, { values, objective }: Given) {
  const repo = daemon.repo();
  repo.write({ 'measure.mjs': MEASURE });
  repo.git('add', '.');
  repo.git('commit', '-qm', 'Measure');
  const [table, ran] = ['table.json', 'ran.txt'].map((name) =>
    join(repo.dir, '..', `${repo.dir.split('/').at(-1)}-${name}`),
  );
  writeFileSync(table as string, JSON.stringify(values));
  const runId = await startRun(daemon, {
    repo: repo.dir,
    template: 'backtest-strategy@1',
    backend: Object.fromEntries(
      ['planner', 'implementer', 'reviewer', 'verifier'].map((role) => [role, 'fake' as const]),
    ),
    objective: {
      targets: [{ metric: 'sharpe', op: 'gte', value: 2 }],
      measure: { argv: [process.execPath, 'measure.mjs', table as string, ran as string] },
      repeat: { baseline: 2, confirm: 1 },
      ...objective,
    },
  });
  return {
    runId,
    repo,
    ran: () =>
      existsSync(ran as string)
        ? readFileSync(ran as string, 'utf8')
            .trim()
            .split('\n')
        : [],
  };
}

export const evaluated = (events: readonly EventView[]) =>
  payloads(events, 'backtest.objective_evaluated').map(({ isKept, stop }) => [
    isKept,
    (stop as { reason: string } | null)?.reason ?? null,
  ]);

export const patient: DriveOptions = { patienceMs: 200_000 };
