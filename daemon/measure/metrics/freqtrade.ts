import { addTool } from './canonical.ts';
import { type Fields, fieldsOf, firstFields, parseJson } from './jsonText.ts';
import { LARGEST_BYTES, type Parser, type Reading, type Trade, tradesOf, Unreadable, type Value } from './reading.ts';
import { isZip, readZip } from './zip.ts';

/** The result file of `freqtrade backtesting`: JSON, or the zip with it. With several strategies, the first. */
export const freqtradeParser: Parser = {
  file: 'backtest-result.json',
  read(bytes) {
    const json = isZip(bytes)
      ? readZip(bytes, /backtest-result[^/]*(?<!_config|_meta|\.meta)\.json$/, LARGEST_BYTES)
      : bytes;
    if (!json) throw new Unreadable('is a zip without a backtest-result of freqtrade');
    const strategies = fieldsOf(fieldsOf(parseJson(json))?.strategy);
    const strategy = strategies && fieldsOf(Object.values(strategies)[0]);
    if (!strategy) throw new Unreadable('is no result of freqtrade: it has no strategy');
    return readingOf(strategy);
  },
};

/** freqtrade writes this for a series that does not vary. */
const CONSTANT = -100;
const OF_SERIES: readonly string[] = ['sharpe', 'sortino', 'calmar'];

function readingOf(strategy: Fields): Reading {
  const metrics = new Map<string, Value>();
  for (const [name, raw] of firstFields(strategy)) {
    if (typeof raw === 'number' || raw === null) addTool(metrics, name, raw);
    if (raw === CONSTANT && OF_SERIES.includes(name))
      metrics.set(name, { absent: 'is -100, which stands for a series that does not vary' });
  }
  // Before 2022.2 it is a fall of added profits, and has nothing to do with the account.
  const drawdown = ['max_drawdown_account', 'max_relative_drawdown'].find((name) => metrics.has(name));
  const legacy: Value = { absent: 'max_drawdown of an old freqtrade is no drawdown of the account' };
  if (metrics.has('max_drawdown')) metrics.set('max_drawdown', legacy);
  if (metrics.has('mdd')) metrics.set('mdd', (drawdown === undefined ? undefined : metrics.get(drawdown)) ?? legacy);
  const { backtest_start: from, backtest_end: to, trades } = strategy;
  return {
    metrics: Object.fromEntries(metrics),
    data: { ...(typeof from === 'string' ? { from } : {}), ...(typeof to === 'string' ? { to } : {}) },
    ...(Array.isArray(trades) ? { trades: tradesOf(trades, tradeOf) } : {}),
  };
}

function tradeOf(raw: unknown): Trade | undefined {
  const fields = fieldsOf(raw);
  const profit = fields?.profit_ratio ?? fields?.profit_abs;
  if (!fields || typeof profit !== 'number') return undefined;
  const text = (key: string, name: keyof Trade) => (typeof fields[key] === 'string' ? { [name]: fields[key] } : {});
  return {
    profit,
    ...text('exit_reason', 'exitReason'),
    ...text('enter_tag', 'tag'),
    ...text('pair', 'instrument'),
    ...text('open_date', 'openedAt'),
    ...text('close_date', 'closedAt'),
  };
}
