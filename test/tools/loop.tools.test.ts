import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../schemas/files/paths.ts';
import type { EventView } from '../../schemas/rpc/views/run.ts';
import { payloads, proveEnd } from '../e2e/support.ts';
import { shareDaemon } from '../helpers/daemon.ts';
import { drive, startRun } from '../helpers/drive.ts';

const daemon = shareDaemon();
const read = (path: string) => readFileSync(join(packageRoot(), 'test', path), 'utf8');

/** A crossing of two averages, with a part of the cash. */
const strategy = (fast: number, slow: number, size: number) => `
import pandas as pd
from backtesting import Strategy as Base
from backtesting.lib import crossover


def average(values, n):
    return pd.Series(values).rolling(n).mean()


class Strategy(Base):
    def init(self):
        self.fast = self.I(average, self.data.Close, ${fast})
        self.slow = self.I(average, self.data.Close, ${slow})

    def next(self):
        if crossover(self.fast, self.slow):
            self.buy(size=${size})
        elif crossover(self.slow, self.fast):
            self.position.close()
`;

const FILES = {
  '.gitignore': 'results/\n__pycache__/\n',
  'evaluate.py': read('tools/evaluate.py'),
  'make.py': read('fixtures/metrics/make.py'),
  'strategy.py': strategy(3, 15, 0.99),
  'variants/slower.py': strategy(10, 40, 0.99),
  'variants/smaller.py': strategy(8, 30, 0.5),
};

const objective = (mdd: Record<string, unknown>) => ({
  targets: [
    { metric: 'sharpe', op: 'gte', value: 1.5 },
    { metric: 'mdd', op: 'lte', ...mdd },
  ],
  measure: {
    argv: ['env', `PYTHONPATH=${process.env.DEVFLOW_TEST_TOOLS}`, 'python3', 'evaluate.py'],
    parser: 'series',
  },
  guards: [{ metric: 'trades', op: 'gte', value: 5 }],
  editable: ['strategy.py'],
  protected: ['evaluate.py', 'make.py'],
  repeat: { baseline: 2, confirm: 1 },
  stop: { maxIterations: 3 },
});

function given() {
  const repo = daemon().repo();
  repo.write(FILES);
  repo.git('add', '.');
  repo.git('commit', '-qm', 'A strategy');
  const backend = { planner: 'fake', implementer: 'fake', reviewer: 'fake', verifier: 'fake' } as const;
  const request = { repo: repo.dir, template: 'backtest-strategy@1', backend };
  return { repo, request: { ...request, requirements: 'Improve: slower, smaller' } };
}

test('a strategy that meets all targets ends the loop although its Sharpe ratio fell, and a planted result does not count', async () => {
  const { repo, request } = given();
  const runId = await startRun(daemon(), { ...request, objective: objective({ value: 15, unit: 'percent' }) });
  const isJudged = ({ type }: EventView) => type === 'backtest.objective_evaluated';
  await drive(daemon(), runId, { patienceMs: 200_000, stopAt: isJudged });
  const { worktreeRoot } = await daemon().ask('run.get', { runId });
  const planted = join(worktreeRoot, 'results/zz.json');
  mkdirSync(join(worktreeRoot, 'results'), { recursive: true });
  writeFileSync(planted, JSON.stringify({ time: 2030, stats: { 'Sharpe Ratio': 9, 'Max. Drawdown [%]': -1 } }));
  await drive(daemon(), runId, { patienceMs: 200_000 });
  const { run, events } = await proveEnd(daemon(), runId, 'completed');
  expect(existsSync(planted)).toBe(true);
  const seen = payloads(events, 'backtest.iteration_completed').map(({ metrics }) => metrics as Record<string, number>);
  const rounded = seen.map(({ sharpe = 0, mdd = 0 }) => [sharpe.toFixed(2), mdd.toFixed(2)]);
  expect(rounded).toEqual([
    ['1.35', '0.25'],
    ['1.80', '0.21'],
    ['1.55', '0.10'],
  ]);
  const judged = payloads(events, 'backtest.objective_evaluated');
  expect(judged.map(({ isKept, isMet }) => [isKept, isMet])).toEqual([
    [true, false],
    [true, false],
    [true, true],
  ]);
  expect(repo.git('show', `${run.branch}:strategy.py`)).toBe(strategy(8, 30, 0.5).trim());
});

test('a drawdown of 15 without its unit is refused before anything runs', async () => {
  const { request } = given();
  const started = startRun(daemon(), { ...request, objective: objective({ value: 15 }) });
  await expect(started).rejects.toThrow(/percent/);
});
