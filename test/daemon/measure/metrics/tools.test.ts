import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { evaluate } from '../../../../daemon/core/objective/evaluate.ts';
import { summarise } from '../../../../daemon/core/objective/values.ts';
import { readMeasurement } from '../../../../daemon/measure/metrics/readMeasurement.ts';
import { packageRoot } from '../../../../schemas/files/paths.ts';
import { Measurement } from '../../../../schemas/objective/measured.ts';
import type { ParserName } from '../../../../schemas/objective/objective.ts';

const FIXTURES = join(packageRoot(), 'test/fixtures/metrics');

/** Reads a file of a tool as the command of an objective would leave it. */
async function readFixture(parser: ParserName, file: string): Promise<Measurement> {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-metrics-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  copyFileSync(join(FIXTURES, file), join(dir, file));
  const output = { stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'err'), ended: { ok: true, reason: 'exit 0' } };
  const measurement = await readMeasurement({ dir, ...output, source: { parser, file, names: {} } });
  expect(Measurement.parse(measurement)).toEqual(measurement);
  return measurement;
}

const TOOLS: readonly [tool: string, parser: ParserName, file: string, mdd: number, sharpe: number][] = [
  ['backtesting.py', 'series', 'backtesting.json', 0.2717, 1.4391],
  ['backtesting.py, printed', 'series', 'backtesting.txt', 0.2717, 1.4391],
  ['quantstats', 'series', 'quantstats.json', 0.27, 1.52],
  ['vectorbt', 'series', 'vectorbt.json', 0.2732, 1.822],
  ['vectorbt, printed', 'series', 'vectorbt.txt', 0.2732, 1.822],
  ['nautilus_trader', 'series', 'nautilus.json', 0.2717, 1.52],
  ['freqtrade', 'freqtrade', 'freqtrade.json', 0.2207, 0.2028],
  ['freqtrade, zipped', 'freqtrade', 'freqtrade.zip', 0.2207, 0.2028],
];

test.each(TOOLS)('%s: the drawdown is a magnitude, and misses 0.15', async (_, parser, file, mdd, sharpe) => {
  const measurement = await readFixture(parser, file);
  expect(measurement).toMatchObject({ fault: null, failure: null });
  expect(measurement.metrics.mdd).toBeCloseTo(mdd, 3);
  expect(measurement.metrics.sharpe).toBeCloseTo(sharpe, 3);
  const [verdict] = evaluate([{ metric: 'mdd', op: 'lte', value: 0.15, weight: 1 }], summarise([measurement]));
  expect(verdict).toMatchObject({ state: 'missed' });
});

test('trades and equity of a tool are mined', async () => {
  const backtesting = await readFixture('series', 'backtesting.json');
  expect(backtesting.metrics).toMatchObject({ trades: 21, win_rate: expect.closeTo(0.4286, 3) });
  expect(backtesting.mined).toMatchObject({ trades: 21, losing: 12 });
  expect(backtesting.mined?.drawdowns[0]?.depth).toBeCloseTo(0.2717, 3);
  expect(backtesting.mined?.clusters.map(({ by }) => by)).toContain('holding');
  expect(backtesting.equity).toHaveLength(200);
  const freqtrade = await readFixture('freqtrade', 'freqtrade.zip');
  expect(freqtrade.mined?.clusters.map(({ id }) => id)).toContain('exit_reason=exit_signal');
  expect(freqtrade.data).toEqual({ from: '2021-01-04 00:00:00', to: '2022-12-04 00:00:00' });
});

test('what quantstats rounds can be off by half of its last digit', async () => {
  const measurement = await readFixture('series', 'quantstats.json');
  expect(measurement.rounded).toMatchObject({ mdd: 0.005, sharpe: 0.005 });
  const [verdict] = evaluate([{ metric: 'sharpe', op: 'gte', value: 1.52, weight: 1 }], summarise([measurement]));
  expect(verdict).toMatchObject({ state: 'unknown', reason: expect.stringContaining('round') });
});

test.each([
  ['NaN', '{"metrics": {"sharpe": NaN}}', 'is NaN'],
  ['Infinity', '{"metrics": {"sharpe": -Infinity}}', 'is -Infinity'],
  ['null', '{"metrics": {"sharpe": null}}', 'is null'],
  ['a dash', '{"metrics": {"sharpe": "-"}}', 'is -'],
  ['a text', '{"metrics": {"sharpe": "good"}}', 'is no number'],
])('%s is no number, and says so', async (_, text, reason) => {
  const measurement = await read({ text });
  expect(measurement).toMatchObject({ metrics: {}, absent: { sharpe: reason }, fault: null });
});

test.each([
  ['-100 stands for a series that does not vary', { sharpe: -100, total_trades: 5 }, 'sharpe', /-100/],
  [
    'a profit factor of 0 without losers',
    { profit_factor: 0, total_trades: 5, trades: [{ profit_ratio: 0.1 }] },
    'profit_factor',
    /no trade lost/,
  ],
  ['zero trades', { sharpe: 0, total_trades: 0 }, 'sharpe', /no trades/],
])('freqtrade: %s', async (_, strategy, metric, reason) => {
  const text = JSON.stringify({ strategy: { S: strategy } });
  const { metrics, absent } = await read({ text, parser: 'freqtrade', file: 'backtest-result.json' });
  expect(metrics[metric]).toBeUndefined();
  expect(absent[metric]).toMatch(reason);
});

test.each<[string, ParserName, string]>([
  ['bt/metrics@1', 'metrics', '{"metrics": {"mdd": -0.27}}'],
  ['json', 'json', '{"mdd": -0.27, "max_drawdown": -0.27}'],
  ['csv', 'csv', 'mdd,Max. Drawdown [%]\n-0.27,-27\n'],
  ['keyvalue', 'keyvalue', 'mdd: -27%\n'],
  ['series', 'series', '{"Max. Drawdown [%]": -27}'],
])('%s: a negative drawdown meets no target', async (_, parser, text) => {
  const { metrics } = await read({ text, parser });
  expect(Object.values(metrics).every((value) => Math.abs(value - 0.27) < 1e-9)).toBe(true);
  expect(Object.keys(metrics)).toContain('mdd');
});

test.each<[string, ParserName, string]>([
  ['bt/metrics@1', 'metrics', '{"metrics": {"sharpe": 0, "mdd": 0, "trades": 0}}'],
  ['an empty list', 'metrics', '{"metrics": {"sharpe": 0, "mdd": 0}, "trades": []}'],
  ['json', 'json', '{"sharpe_ratio": 0, "max_drawdown": 0, "total_trades": 0}'],
  ['csv', 'csv', 'sharpe,mdd,trades\n0,0,0\n'],
  ['keyvalue', 'keyvalue', 'sharpe=0\nmdd=0\ntrades=0\n'],
  ['series', 'series', '{"Sharpe Ratio": null, "Max. Drawdown [%]": 0, "Return [%]": 0, "# Trades": 0}'],
])('%s: without trades, nothing about them is known', async (_, parser, text) => {
  const { metrics, absent } = await read({ text, parser });
  expect(metrics).toEqual({});
  expect(Object.values(absent)).toContain('there are no trades');
});

test('listed trades count as trades', async () => {
  const text = '{"metrics": {"sharpe": 1}, "trades": [{"profit": -1}, {"profit": 2}, {"profit": NaN}]}';
  expect((await read({ text })).metrics).toEqual({ trades: 2, sharpe: 1 });
});

test('percentages become ratios by the sign of the label or of the value, and only once', async () => {
  const csv = await read({ text: 'Return [%],Win %,hits\n12,55%,93%\n', parser: 'csv' });
  expect(csv.metrics).toEqual({ 'Return [%]': 0.12, 'Win %': 0.55, hits: 0.93 });
  const names = { total_return: '/Return [%]' };
  expect((await read({ text: '{"Return [%]": 12}', parser: 'json', names })).metrics).toEqual({ total_return: 0.12 });
  const nautilus = '{"stats_pnls": {"USD": {"PnL (total)": 1200, "PnL% (total)": 12}}, "stats_returns": {}}';
  expect((await read({ text: nautilus, parser: 'series' })).metrics).toMatchObject({ total_return: 0.12 });
});

test('of several currencies, none is the result', async () => {
  const text = '{"stats_pnls": {"USD": {"Win Rate": 0.9}, "BTC": {"Win Rate": 0.1}}}';
  expect((await read({ text, parser: 'series' })).metrics).toEqual({ usd_win_rate: 0.9, btc_win_rate: 0.1 });
});

test('percentages that quantstats does not mark are refused', async () => {
  const text = '{"Strategy": {"Time in Market": 62.0, "Cumulative Return": 97.13, "Max Drawdown": -27.17}}';
  expect(await read({ text, parser: 'series' })).toMatchObject({
    metrics: {},
    fault: expect.stringContaining('as_pct'),
  });
});

test.each(['1.5', '1.50'])('a Sharpe of 1.495 that is printed as %s is known to be rounded', async (shown) => {
  const printed = `Sharpe Ratio    ${shown}\n`;
  for (const [parser, text] of [
    ['series', printed],
    ['keyvalue', `sharpe=${shown}`],
    ['csv', `sharpe\n${shown}\n`],
  ] as const) {
    const measurement = await read({ text, parser });
    expect(measurement.rounded.sharpe).toBeGreaterThanOrEqual(0.005);
    const [verdict] = evaluate([{ metric: 'sharpe', op: 'gte', value: 1.5, weight: 1 }], summarise([measurement]));
    expect(verdict).toMatchObject({ state: 'unknown' });
  }
});

test('times of the equity name its falls', async () => {
  const pairs = '{"metrics": {}, "equity": [["2026-01-01", 100], ["2026-01-02", 80], [1767398400000, 90]]}';
  expect((await read({ text: pairs })).mined?.drawdowns).toEqual([
    { from: '2026-01-01', to: '2026-01-03T00:00:00.000Z', depth: 0.2 },
  ]);
  const pandas = '{"# Trades": 1, "_equity_curve": {"Equity": {"1767225600000": 100, "1767312000000": 80}}}';
  expect((await read({ text: pandas, parser: 'series' })).mined?.drawdowns).toEqual([
    { from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z', depth: 0.2 },
  ]);
});

interface Given {
  text: string | Buffer;
  parser?: ParserName;
  file?: string | null;
  names?: Record<string, string>;
}

async function read({ text, parser = 'metrics', file = null, names = {} }: Given): Promise<Measurement> {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-metrics-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const usual = { metrics: 'metrics.json', json: 'metrics.json', csv: 'metrics.csv', keyvalue: 'metrics.txt' };
  const name = file ?? usual[parser as keyof typeof usual] ?? 'stats.json';
  const path = file === '-' ? join(dir, 'out') : join(dir, name);
  writeFileSync(path, text);
  const output = { stdoutPath: join(dir, 'out'), stderrPath: join(dir, 'err'), ended: { ok: true, reason: 'exit 0' } };
  const measurement = await readMeasurement({ dir, ...output, source: { parser, file, names } });
  expect(Measurement.parse(measurement)).toEqual(measurement);
  return measurement;
}

test('keyvalue reads what a command prints, with units', async () => {
  const text = 'building…\nbundle=195.3 KB\np95: 12 ms\nhit rate: 93%\nfailed_tests=0\nversion: v1.2.3\n';
  const { metrics, rounded } = await read({ text, parser: 'keyvalue', file: '-' });
  expect(metrics).toEqual({ bundle: 195_300, p95: 0.012, 'hit rate': 0.93, failed_tests: 0 });
  expect(rounded).toEqual({ bundle: 50 });
  const named = await read({ text, parser: 'keyvalue', file: '-', names: { size: 'bundle', lost: 'nothing' } });
  expect(named).toMatchObject({ metrics: { size: 195_300 }, absent: { lost: 'there is no line nothing' } });
});

test('csv reads the last row of a table, or rows of names and values', async () => {
  const table = await read({ text: 'run,sharpe,"max, dd"\n1,1.2,0.3\n2,1.50,"0.2"\n', parser: 'csv' });
  expect(table.metrics).toEqual({ run: 2, sharpe: 1.5, 'max, dd': 0.2 });
  expect(table.rounded).toEqual({ sharpe: 0.005, 'max, dd': 0.05 });
  const pairs = await read({ text: 'metric,value\nsharpe,1.25\nnote,none yet\ntrades,12\n', parser: 'csv' });
  expect(pairs.metrics).toMatchObject({ sharpe: 1.25, trades: 12 });
});

test('csv takes a quote inside of a field as a character, and refuses one that does not end', async () => {
  const table = await read({ text: 'size,sharpe\n5" pipe,1.25\n" 7 ",2\n', parser: 'csv' });
  expect(table.metrics).toEqual({ size: 7, sharpe: 2 });
  const broken = await read({ text: 'size,sharpe\n1,1.25\n"7,2\n', parser: 'csv' });
  expect(broken).toMatchObject({ metrics: {}, fault: 'metrics.csv has a quote that does not end' });
});

test('keyvalue refuses a unit that it does not know, whatever its name', async () => {
  const { metrics, absent } = await read({ text: 'a: 5 constructor\nb: 7 parsecs\n', parser: 'keyvalue' });
  expect(metrics).toEqual({});
  expect(absent).toEqual({ a: 'has the unknown unit constructor', b: 'has the unknown unit parsecs' });
});

test('json reads what pointers name, or all numbers at the top', async () => {
  const text = '{"a/b": {"p": [1, 2.5]}, "x": 3, "y": "no", "z": NaN}';
  expect((await read({ text, parser: 'json' })).metrics).toEqual({ x: 3 });
  const named = await read({ text, parser: 'json', names: { p: '/a~1b/p/1', gone: '/q' } });
  expect(named).toMatchObject({ metrics: { p: 2.5 }, absent: { gone: '/q is not in the file' } });
});
