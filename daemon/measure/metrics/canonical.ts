import { snakeCase } from '../../../schemas/objective/units.ts';
import { magnitude, numberIn, valueUnder, withOff } from './number.ts';
import type { Trade, Value } from './reading.ts';

/** devflow's name of each notion, and the names that tools have for it, in snake case. */
const CANONICAL: readonly [name: string, known: RegExp][] = [
  ['sharpe', /^(?:sharpe|sharpe_ratio)(?:_\d+_days)?$/],
  ['sortino', /^(?:sortino|sortino_ratio)(?:_\d+_days)?$/],
  ['calmar', /^(?:calmar|calmar_ratio)(?:_\d+_days)?$/],
  ['mdd', /^(?:mdd|max_drawdown|maximum_drawdown|max_drawdown_account|max_relative_drawdown)$/],
  ['total_return', /^(?:return|total_return|cumulative_return|profit_total|pnl_pct_total)$/],
  ['cagr', /^(?:cagr)(?:_pct)?$/],
  ['volatility', /^(?:annual_volatility|(?:returns_)?volatility(?:_ann|_ann_pct|_\d+_days)?)$/],
  ['win_rate', /^(?:win_rate|winrate)$/],
  ['profit_factor', /^profit_factor$/],
  ['expectancy', /^expectancy$/],
  ['trades', /^(?:trades|total_trades|number_of_trades|total_closed_trades|n_trades)$/],
  ['exposure', /^(?:exposure|exposure_time|time_in_market)$/],
];

/** devflow's name for a metric of a tool; undefined if it is none of the notions that it knows. */
function canonicalOf(snake: string): string | undefined {
  return CANONICAL.find(([, known]) => known.test(snake))?.[0];
}

/** Adds a tool's value by its own name and, where devflow has one, by devflow's. `off`: what the tool rounds away. */
export function addTool(metrics: Map<string, Value>, name: string, raw: unknown, off = 0): void {
  const read = valueUnder(name, raw);
  const snake = snakeCase(name);
  if (read === undefined || snake === '') return;
  const value = withOff(read, off);
  metrics.set(snake, value);
  const canonical = canonicalOf(snake);
  if (canonical !== undefined && !metrics.has(canonical)) metrics.set(canonical, value);
}

/** A drawdown, not the time that it takes or the capital at its ends. */
const DRAWDOWN = /(?:^|_)(?:draw_?downs?|mdd|max_dd)(?!.*_(?:low|high)$)(?:_|$)/;
/** Metrics that say nothing without any trade. */
const OF_TRADES =
  /(?:^|_)(?:draw_?downs?|max_dd|returns?|profits?|wins?|winrate|loss|expectancy|trade|pnl|sqn|kelly|average|avg|mean|best|worst)(?:_|$)/;
/** Metrics that are divided by a deviation. A series without losses, or without changes, hardly has one. */
const OVER_DEVIATION = /^(?:sharpe|sortino|calmar|sqn)(?:_|$)/;
const MOST_OVER_DEVIATION = 10_000;
const NOTIONS_WITHOUT_TRADES: readonly (string | undefined)[] = ['exposure', undefined];

/**
 * The metrics as the judge takes them from any tool. Drawdowns become magnitudes. Values without meaning are left out:
 * tools write one though no trade was made, or none was lost.
 */
export function settled(given: Readonly<Record<string, Value>>, trades?: readonly Trade[]): [string, Value][] {
  const metrics = Object.entries(given).map(([name, value]) => ({ name, value, snake: snakeCase(name) }));
  const counts = metrics.filter(({ snake }) => canonicalOf(snake) === 'trades');
  const isWithoutTrades = trades?.length === 0 || counts.some(({ value }) => numberIn(value) === 0);
  const losers = trades?.some(({ profit }) => profit < 0) ?? numberIn(given.losses) !== 0;
  const settledMetrics = metrics.map(({ name, snake, value }): [string, Value] => {
    const isOfTrades = !NOTIONS_WITHOUT_TRADES.includes(canonicalOf(snake)) || OF_TRADES.test(snake);
    if (isWithoutTrades && isOfTrades) return [name, { absent: 'there are no trades' }];
    const number = numberIn(value);
    if (OVER_DEVIATION.test(snake) && number !== undefined && Math.abs(number) > MOST_OVER_DEVIATION)
      return [name, { absent: `is ${number}, because the series hardly varies` }];
    if (snake === 'profit_factor' && numberIn(value) === 0 && !losers)
      return [name, { absent: 'is 0 because no trade lost' }];
    return [name, DRAWDOWN.test(snake) ? magnitude(value) : value];
  });
  if (trades && counts.length === 0)
    settledMetrics.unshift(['trades', trades.length > 0 ? trades.length : { absent: 'there are no trades' }]);
  return settledMetrics;
}
