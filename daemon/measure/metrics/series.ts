import { defined } from '../../../schemas/defined.ts';
import { addTool } from './canonical.ts';
import { equityOfColumn, equityOfList, timeOf } from './equity.ts';
import { type Fields, fieldsOf, firstFields, parseJson } from './jsonText.ts';
import { drawdownsOf } from './mine.ts';
import { type Equity, type Parser, type Reading, type Trade, tradesOf, Unreadable, type Value } from './reading.ts';

/**
 * Reads a series of names and values, as backtesting.py, vectorbt, quantstats and nautilus_trader write it. It is JSON
 * (`to_json()`, or a dictionary), or the printed text. For backtesting.py, `_trades` and `_equity_curve` may stand
 * beside it.
 */
export const seriesParser: Parser = {
  file: 'stats.json',
  read(bytes) {
    const isJson = /^\uFEFF?\s{0,80}[{["]/.test(bytes.toString('utf8', 0, 100));
    return isJson ? readingOf(fieldsOf(parseJson(bytes))) : printed(bytes.toString('utf8'));
  },
};

/** quantstats rounds its tables to two digits. */
const QUANTSTATS_OFF = 0.005;

/** Series inside of the document, as nautilus_trader has them. */
const INSIDE = ['stats_pnls', 'stats_returns', 'stats_general', 'stats'] as const;

function readingOf(document: Fields | undefined): Reading {
  if (!document) throw new Unreadable('is no series of names and values');
  const metrics = new Map<string, Value>();
  addAll(metrics, document);
  addQuantstats(metrics, fieldsOf(document.Strategy));
  for (const key of INSIDE) addAll(metrics, fieldsOf(document[key]));
  addByCurrency(metrics, fieldsOf(document.stats_pnls));
  const trades = rowsOf(document._trades ?? document.trades);
  const equity = equityOf(document._equity_curve ?? document.equity);
  return {
    metrics: Object.fromEntries(withDrawdown(metrics, equity)),
    ...defined({ trades: trades && tradesOf(trades, tradeOf), equity }),
  };
}

function addAll(metrics: Map<string, Value>, fields: Fields = {}, off = 0): void {
  for (const [name, raw] of firstFields(fields)) {
    if (!name.startsWith('_')) addTool(metrics, name, raw, off);
  }
}

/** With `as_pct`, quantstats writes percentages without their sign. Both of these are ratios below 1. */
function addQuantstats(metrics: Map<string, Value>, fields: Fields | undefined): void {
  const isPercent = ['Time in Market', 'Max Drawdown'].some((name) => Math.abs(Number(fields?.[name])) > 1);
  if (isPercent) throw new Unreadable('has percentages that quantstats does not mark: leave out as_pct');
  addAll(metrics, fields, QUANTSTATS_OFF);
}

/** The values of a single currency are the run's. With several, each name begins with its currency. */
function addByCurrency(metrics: Map<string, Value>, currencies: Fields = {}): void {
  const each = firstFields(currencies).flatMap(([currency, raw]) => {
    const fields = fieldsOf(raw);
    return fields ? [{ currency, fields }] : [];
  });
  for (const { currency, fields } of each) {
    if (each.length === 1) addAll(metrics, fields);
    else for (const [name, raw] of firstFields(fields)) addTool(metrics, `${currency} ${name}`, raw);
  }
}

/** nautilus_trader has no drawdown of its own. */
function withDrawdown(metrics: Map<string, Value>, equity: Equity | undefined): Map<string, Value> {
  const [deepest] = equity ? drawdownsOf(equity.values) : [];
  return deepest && !metrics.has('mdd') ? new Map([...metrics, ['mdd', deepest.depth]]) : metrics;
}

/** A line of a name and a value with at least two blanks between them, as pandas prints a series. */
const LINE = /^([^\s_].{0,99}?)[ \t]{2,200}(\S.{0,200})$/gm;
const MOST_LINES = 10_000;

function printed(text: string): Reading {
  const metrics = new Map<string, Value>();
  for (const [, name = '', shown = ''] of text.matchAll(LINE)) {
    if (metrics.size < MOST_LINES) addTool(metrics, name, shown.trim());
  }
  if (metrics.size === 0) throw new Unreadable('is no series of names and values');
  return { metrics: Object.fromEntries(metrics) };
}

/** Rows of a table: a list of objects, or columns of values by index. */
function rowsOf(table: unknown): Fields[] | undefined {
  if (Array.isArray(table)) return table.map(fieldsOf).filter((row) => row !== undefined);
  const columns = fieldsOf(table);
  if (!columns) return undefined;
  const named = firstFields(columns).flatMap(([name, column]) => {
    const fields = fieldsOf(column);
    return fields ? [{ name, fields }] : [];
  });
  const indexes = Object.keys(named[0]?.fields ?? {});
  return indexes.map((index) => Object.fromEntries(named.map(({ name, fields }) => [name, fields[index]])));
}

/** The names of backtesting.py, then those of vectorbt. */
function tradeOf(raw: unknown): Trade | undefined {
  const row = fieldsOf(raw) ?? {};
  const profit = row.ReturnPct ?? row.Return ?? row.PnL;
  if (typeof profit !== 'number') return undefined;
  const text = (name: keyof Trade, value: unknown) =>
    typeof value === 'string' || typeof value === 'number' ? { [name]: timeOf(value) } : {};
  return {
    profit,
    ...text('openedAt', row.EntryTime ?? row['Entry Timestamp']),
    ...text('closedAt', row.ExitTime ?? row['Exit Timestamp']),
    ...text('tag', row.Tag),
    ...text('exitReason', row.ExitReason),
    ...text('instrument', row.Column),
  };
}

function equityOf(table: unknown): Equity | undefined {
  const columns = fieldsOf(table);
  const column = fieldsOf(columns?.Equity);
  const list = Array.isArray(table) ? table.map((each) => fieldsOf(each)?.Equity ?? each) : undefined;
  const equity = column ? equityOfColumn(column) : list ? equityOfList(list) : undefined;
  return equity && equity.values.length > 0 ? equity : undefined;
}
