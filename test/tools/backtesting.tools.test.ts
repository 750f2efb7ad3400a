import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../daemon/core/objective/evaluate.ts';
import { rank } from '../../daemon/core/objective/rank.ts';
import { summarise } from '../../daemon/core/objective/values.ts';
import { readMeasurement } from '../../daemon/measure/metrics/readMeasurement.ts';
import { packageRoot } from '../../schemas/files/paths.ts';
import { Measurement } from '../../schemas/objective/measured.ts';
import { faultsOfObjective } from '../../schemas/objective/objectiveFaults.ts';
import { type ObjectiveDocument, readObjective } from '../../schemas/objective/readObjective.ts';

const MEASURE = join(packageRoot(), 'test/tools/measure.py');

/** Runs the command of an objective with the real package, and reads what it wrote, or what it printed. */
async function measure(strategy: string): Promise<{ written: Measurement; printed: Measurement }> {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-tools-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const env = {
    ...process.env,
    DEVFLOW_METRICS: dir,
    PYTHONPATH: process.env.DEVFLOW_TEST_TOOLS,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const paths = { stdoutPath: join(dir, 'out.txt'), stderrPath: join(dir, 'err.txt') };
  const ended = await new Promise<{ ok: boolean; reason: string }>((resolve) => {
    execFile('python3', [MEASURE, strategy], { env }, (error, stdout, stderr) => {
      writeFileSync(paths.stdoutPath, stdout);
      writeFileSync(paths.stderrPath, stderr);
      resolve({ ok: error === null, reason: `exit ${error?.code ?? 0}` });
    });
  });
  const read = async (file: string | null) => {
    const measurement = await readMeasurement({ dir, ...paths, ended, source: { parser: 'series', file, names: {} } });
    expect(Measurement.parse(measurement)).toEqual(measurement);
    return measurement;
  };
  return { written: await read(null), printed: await read('-') };
}

const TARGETS = [
  { metric: 'mdd', op: 'lte', value: 0.15, weight: 1 },
  { metric: 'sharpe', op: 'gte', value: 1, weight: 1 },
] as const;
const statesOf = (measurement: Measurement) => evaluate(TARGETS, summarise([measurement])).map(({ state }) => state);

test('backtesting.py, written and printed, is judged alike', async () => {
  const { written, printed } = await measure('cross');
  expect(written).toMatchObject({ fault: null, mined: { trades: 21, losing: 12 } });
  expect(written.metrics).toMatchObject({
    mdd: expect.closeTo(0.2717, 3),
    sharpe: expect.closeTo(1.4391, 3),
    total_return: expect.closeTo(0.9713, 3),
    win_rate: expect.closeTo(0.4286, 3),
    trades: 21,
  });
  for (const name of ['mdd', 'sharpe', 'sortino', 'calmar', 'total_return', 'win_rate', 'profit_factor', 'exposure'])
    expect(printed.metrics[name], name).toBeCloseTo(written.metrics[name] as number, 4);
  expect([statesOf(written), statesOf(printed)]).toEqual([
    ['missed', 'met'],
    ['missed', 'met'],
  ]);
  expect(written.mined?.drawdowns[0]).toMatchObject({
    from: '2021-05-25T00:00:00.000Z',
    depth: expect.closeTo(0.2717, 3),
  });
  expect(written.mined?.clusters.map(({ by }) => by)).toContain('holding');
});

test('a strategy that meets every target is kept although its primary fell, in either unit', async () => {
  const [cross, half] = await Promise.all(['cross', 'half'].map(measure));
  const document = (mdd: ObjectiveDocument['targets'][number]): ObjectiveDocument => ({
    targets: [{ metric: 'total_return', op: 'gte', value: 0.2 }, mdd],
    measure: { argv: ['python3', 'measure.py'], parser: 'series' },
    guards: [{ metric: 'trades', op: 'gte', value: 10 }],
  });
  const wanted = document({ metric: 'mdd', op: 'lte', value: 15, unit: 'percent' });
  expect(faultsOfObjective(wanted)).toEqual({ faults: [], warnings: [] });
  expect(faultsOfObjective(document({ metric: 'mdd', op: 'lte', value: 15 })).faults).toEqual([
    expect.stringContaining('mdd at most 15 reads as 1500 %'),
  ]);
  for (const kind of ['written', 'printed'] as const) {
    const before = summarise(Array(3).fill(cross?.[kind]));
    const candidate = summarise(Array(4).fill(half?.[kind]));
    expect(rank(readObjective(wanted), { before, candidate, repeated: [before] })).toMatchObject({
      isKept: true,
      isMet: true,
      reason: 'it meets every target, and the best iteration missed 1',
    });
    const { gain } = rank(readObjective(wanted), { before, candidate, repeated: [before] });
    expect(gain).toBeLessThan(0);
  }
});

test('a strategy of backtesting.py without a trade meets nothing', async () => {
  const { written, printed } = await measure('idle');
  expect(statesOf(written)).toEqual(['unknown', 'unknown']);
  expect(statesOf(printed)).toEqual(['unknown', 'unknown']);
  expect(written.absent).toMatchObject({ mdd: 'there are no trades', trades: 'there are no trades' });
});

test('a strategy of backtesting.py without a loss has no profit factor', async () => {
  const { written } = await measure('once');
  expect(written).toMatchObject({ metrics: { trades: 1, win_rate: 1 }, mined: { losing: 0, clusters: [] } });
  expect(written.metrics.profit_factor).toBeUndefined();
});

test('a strategy that fails in backtesting.py is told by its exception', async () => {
  const { written } = await measure('broken');
  expect(written).toMatchObject({
    metrics: {},
    fault: 'the command failed: exit 1',
    failure: 'ValueError: no price at <hex> in <path>',
  });
});
