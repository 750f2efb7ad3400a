import type { Trade } from './reading.ts';

/** Later ones are left out; so many say enough. */
const MOST_TRADES = 1_000_000;

/** The trades of a list. Undefined if it has entries and none is a trade. */
export function tradesOf(list: readonly unknown[], tradeOf: (raw: unknown) => Trade | undefined): Trade[] | undefined {
  const trades: Trade[] = [];
  for (const raw of list) {
    const trade = tradeOf(raw);
    if (trade && Number.isFinite(trade.profit)) trades.push(trade);
    if (trades.length === MOST_TRADES) break;
  }
  return list.length > 0 && trades.length === 0 ? undefined : trades;
}
