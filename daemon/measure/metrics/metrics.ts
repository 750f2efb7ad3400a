import { equityOfList } from './equity.ts';
import { fieldsOf, firstFields, parseJson } from './jsonText.ts';
import { readValue } from './number.ts';
import { type Parser, type Trade, tradesOf, Unreadable, type Value } from './reading.ts';

/** `bt/metrics@1`: what a command writes that is made for devflow. */
export const metricsParser: Parser = {
  file: 'metrics.json',
  read(bytes) {
    const document = fieldsOf(parseJson(bytes));
    const metrics = fieldsOf(document?.metrics);
    if (!document || !metrics) throw new Unreadable('is no bt/metrics@1: it has no object "metrics"');
    const values = firstFields(metrics).map(([name, raw]): [string, Value] => [
      name,
      readValue(raw) ?? { absent: 'is no number' },
    ]);
    const { seed, trades, equity } = document;
    const data = fieldsOf(document.data) ?? {};
    return {
      metrics: Object.fromEntries(values),
      ...(typeof seed === 'number' || typeof seed === 'string' ? { seed: String(seed) } : {}),
      data: Object.fromEntries(
        ['sha256', 'from', 'to'].flatMap((key) => (typeof data[key] === 'string' ? [[key, data[key]]] : [])),
      ),
      ...(Array.isArray(trades) ? { trades: tradesOf(trades, tradeOf) } : {}),
      ...(Array.isArray(equity) ? { equity: equityOfList(equity) } : {}),
    };
  },
};

function tradeOf(raw: unknown): Trade | undefined {
  const fields = fieldsOf(raw);
  const profit = fields?.profit;
  if (!fields || typeof profit !== 'number') return undefined;
  const texts = (['exitReason', 'tag', 'instrument', 'openedAt', 'closedAt'] as const).flatMap((key) => {
    const value = fields[key];
    return typeof value === 'string' ? [[key, value]] : [];
  });
  return { profit, ...Object.fromEntries(texts) };
}
