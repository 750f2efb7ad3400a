import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readMeasurement } from '../../../../daemon/measure/metrics/readMeasurement.ts';
import type { ParserName } from '../../../../schemas/objective/objective.ts';
import type { MetricUnits } from '../../../../schemas/objective/units.ts';

const PERCENT: MetricUnits = { percent: ['win_rate', 'score'], ratio: [], isBase: true };
const RATIO: MetricUnits = { percent: [], ratio: ['win_rate', 'score'], isBase: true };

async function read(parser: ParserName, text: string, units?: MetricUnits, names: Record<string, string> = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'devflow-units-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'out'), text);
  const source = { parser, file: 'out', names };
  const ended = { ok: true, reason: '' };
  return readMeasurement({ dir, stdoutPath: '', stderrPath: '', ended, source, ...(units ? { units } : {}) });
}

describe('a bare number beside a percent target is a percentage', () => {
  test.each<[ParserName, string]>([
    ['keyvalue', 'win_rate=40\nscore: 12.5'],
    ['csv', 'win_rate,score\n40,12.5\n'],
    ['json', '{"win_rate": 40, "score": "12.5"}'],
  ])('of %s', async (parser, text) => {
    const { metrics, fault } = await read(parser, text, PERCENT);
    expect([metrics.win_rate, metrics.score, fault]).toEqual([0.4, 0.125, null]);
  });

  test.each<[ParserName, string]>([
    ['keyvalue', 'win_rate=40%\nscore [%]: 12.5'],
    ['csv', 'win_rate,score\n40 %,12.5%\n'],
    ['json', '{"win_rate": "40%", "score": "12.5 %"}'],
    ['series', '{"Win Rate [%]": 40, "score": 0.125}'],
    ['metrics', '{"metrics": {"win_rate": 0.4, "score": 0.125}}'],
  ])('and one of %s whose unit is known is not taken twice', async (parser, text) => {
    const { metrics, fault } = await read(
      parser,
      text,
      PERCENT,
      parser === 'keyvalue' ? { win_rate: 'win_rate', score: 'score [%]' } : {},
    );
    expect([metrics.win_rate, metrics.score, fault]).toEqual([0.4, 0.125, null]);
  });

  test('with what the tool rounds', async () => {
    const { rounded } = await read('keyvalue', 'win_rate=40.5', PERCENT);
    expect(rounded.win_rate).toBeCloseTo(0.0005, 12);
  });

  test('of older runs it is a ratio', async () => {
    expect((await read('keyvalue', 'win_rate=40')).metrics.win_rate).toBe(40);
  });
});

describe('a unit that cannot be is a fault with both readings', () => {
  test.each<[ParserName, string]>([
    ['keyvalue', 'win_rate=40'],
    ['metrics', '{"metrics": {"win_rate": 40}}'],
  ])('a ratio above 1 of %s', async (parser, text) => {
    const { fault, metrics } = await read(parser, text, RATIO);
    expect(fault).toContain('win_rate 40 is 4000 % as a ratio, and 40 % as a percentage');
    expect(metrics).toEqual({});
  });

  test('a percentage in bt/metrics@1, which has ratios', async () => {
    const { fault } = await read('metrics', '{"metrics": {"win_rate": 3}}', PERCENT);
    expect(fault).toContain('win_rate 3 is 300 % as a ratio, and 3 % as a percentage: have the command write a ratio');
  });

  test('a percentage that looks like a ratio, at the base', async () => {
    expect((await read('keyvalue', 'win_rate=0.4', PERCENT)).fault).toContain(
      '40 % as a ratio, and 0.4 % as a percentage',
    );
    expect((await read('keyvalue', 'win_rate=0.4', { ...PERCENT, isBase: false })).metrics.win_rate).toBe(0.004);
  });

  test('but not a metric that the objective does not name, nor one that may be above 1', async () => {
    expect((await read('keyvalue', 'mdd=40\nscore=40', RATIO)).metrics).toEqual({ mdd: 40, score: 40 });
  });
});

describe('what is no value', () => {
  test('a name without a number is empty, and takes back an earlier one', async () => {
    expect((await read('keyvalue', 'score=5\nscore=')).absent).toEqual({ score: 'is empty' });
    expect((await read('keyvalue', 'Results:\nscore: 5')).absent).toEqual({});
  });

  test('a ratio over a deviation of almost nothing', async () => {
    const { absent, metrics } = await read('json', '{"sharpe": 3.4e15, "sortino_ratio": -98765, "calmar": 12}');
    expect(absent).toEqual({
      sharpe: 'is 3400000000000000, because the series hardly varies',
      sortino_ratio: 'is -98765, because the series hardly varies',
    });
    expect(metrics).toEqual({ calmar: 12 });
  });

  test('the drawdown of an old freqtrade, which is a sum of profits', async () => {
    const old = { max_drawdown: 0.05, sharpe: 1 };
    const result = (strategy: object) => JSON.stringify({ strategy: { S: strategy } });
    expect((await read('freqtrade', result(old))).absent.mdd).toContain('no drawdown of the account');
    const { metrics } = await read('freqtrade', result({ ...old, max_drawdown_account: 0.2 }));
    expect(metrics).toMatchObject({ mdd: 0.2, max_drawdown_account: 0.2 });
  });

  test('winning days are no winning trades', async () => {
    const { metrics } = await read('series', '{"Win Days": 0.55, "Sharpe": 1}');
    expect(metrics).toEqual({ win_days: 0.55, sharpe: 1 });
  });
});
