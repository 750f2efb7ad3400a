import { cutTo } from '../../../schemas/text/phrases.ts';

/** A trade that has ended. */
export interface Trade {
  /** A share of the capital, or an amount; negative for a loss. */
  profit: number;
  exitReason?: string;
  tag?: string;
  instrument?: string;
  /** ISO time, or what the tool writes. */
  openedAt?: string;
  closedAt?: string;
}

/** A file as its parser reads it, before it is cut to what the log keeps. */
export interface Reading {
  /** Values as the tool has them. A value that is no finite number is absent. */
  metrics: Record<string, Value>;
  seed?: string;
  data?: { sha256?: string; from?: string; to?: string };
  trades?: Trade[] | undefined;
  equity?: Equity | undefined;
}

/** The capital over time; the times are as many as the values, or none. */
export interface Equity {
  values: number[];
  times: string[];
}

/** A number, how much it can be off, or why there is none. `isPercentage`: it was a percentage, and is a ratio now. */
export type Value = number | { value: number; off: number; isPercentage?: boolean } | { absent: string };

/** A parser finds each metric by its name: at a pointer, in a column or under a key. Empty: everywhere. */
export type MetricPlaces = Readonly<Record<string, string>>;

/** A larger file is refused. */
export const LARGEST_BYTES = 64 * 1024 * 1024;

/** Thrown by a parser for content that is not what it reads; the message is the end of "the file". */
export class Unreadable extends Error {}

export type Parser = {
  /** The file in `$DEVFLOW_METRICS` if the objective names none. */
  file: string;
  read(bytes: Buffer, names: MetricPlaces): Reading;
};

/** A foreign text that the log can store: on one line, well formed, cut at `most`, without control characters. */
export function textFor(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are taken out
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return cutTo(line, most).toWellFormed();
}

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
