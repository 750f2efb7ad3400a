import type { Cluster, Drawdown, Mined } from '../../../schemas/objective/measured.ts';
import { type Equity, type Trade, textFor } from './reading.ts';

const MOST_CLUSTERS = 20;
const MOST_DRAWDOWNS = 5;
const MOST_CHARACTERS = 60;
/** Fewer trades have nothing in common but chance. */
const LEAST_IN_CLUSTER = 2;

type By = Cluster['by'];

/** Properties that losing trades can share. */
const NOTIONS: Readonly<Record<By, (trade: Trade) => string | undefined>> = {
  exit_reason: ({ exitReason }) => exitReason,
  tag: ({ tag }) => tag,
  instrument: ({ instrument }) => instrument,
  hour: ({ openedAt }) => /[T ](\d{2}):/.exec(openedAt ?? '')?.[1],
  holding: ({ openedAt, closedAt }) => holdingOf(openedAt, closedAt),
};

/** Finds in trades and equity where the losses come from. Pure; the same trades in any order give the same. */
export function mine(trades: readonly Trade[], equity: Equity = { values: [], times: [] }): Mined {
  const losing = trades.reduce((count, { profit }) => (profit < 0 ? count + 1 : count), 0);
  return {
    trades: trades.length,
    losing,
    clusters: losing === 0 ? [] : clustersOf(trades, losing),
    drawdowns: drawdownsOf(equity.values, equity.times),
  };
}

function clustersOf(trades: readonly Trade[], losing: number): Cluster[] {
  const rate = losing / trades.length;
  const clusters = (Object.keys(NOTIONS) as By[]).flatMap((by) =>
    [...groupsOf(trades, by)].flatMap(([value, { all, losses }]): Cluster[] => {
      if (losses.length < LEAST_IN_CLUSTER) return [];
      return [
        {
          id: `${by}=${value}`,
          by,
          value,
          count: losses.length,
          loss: rounded(sumOf(losses)),
          lift: rounded(losses.length / all / rate),
          support: rounded(losses.length / losing),
        },
      ];
    }),
  );
  const worstFirst = (a: Cluster, b: Cluster) => b.loss - a.loss || b.lift - a.lift || (a.id < b.id ? -1 : 1);
  return clusters.sort(worstFirst).slice(0, MOST_CLUSTERS);
}

/** Sorted first, because a sum of floats depends on its order. */
function sumOf(losses: readonly number[]): number {
  return [...losses].sort((a, b) => a - b).reduce((sum, each) => sum + each, 0);
}

interface Group {
  all: number;
  losses: number[];
}

function groupsOf(trades: readonly Trade[], by: By): Map<string, Group> {
  const groups = new Map<string, Group>();
  // The same group under each text that a tool wrote for it; cleaning every text anew would take seconds.
  const byText = new Map<string, Group>();
  for (const trade of trades) {
    const text = NOTIONS[by](trade);
    if (!text) continue;
    let group = byText.get(text);
    if (!group) {
      const value = textFor(text, MOST_CHARACTERS);
      group = groups.get(value) ?? { all: 0, losses: [] };
      byText.set(text, group);
      if (value !== '') groups.set(value, group);
    }
    group.all += 1;
    if (trade.profit < 0) group.losses.push(-trade.profit);
  }
  return groups;
}

const HOUR = 3_600_000;
const HOLDINGS: readonly [name: string, below: number][] = [
  ['under 1 h', HOUR],
  ['1 to 6 h', 6 * HOUR],
  ['6 to 24 h', 24 * HOUR],
  ['1 to 7 d', 7 * 24 * HOUR],
  ['over 7 d', Number.POSITIVE_INFINITY],
];

function holdingOf(openedAt = '', closedAt = ''): string | undefined {
  const held = millisecondsOf(closedAt) - millisecondsOf(openedAt);
  return held >= 0 ? HOLDINGS.find(([, below]) => held < below)?.[0] : undefined;
}

/** Reads a time without a zone as UTC, not in this machine's zone. NaN for anything but a time. */
function millisecondsOf(time: string): number {
  if (!/^\d{4}-\d\d-\d\d/.test(time) || time.length > 80) return Number.NaN;
  return Date.parse(/[T ]\d\d:[\d:.]+$/.test(time) ? `${time}Z` : time);
}

/**
 * The deepest falls that do not overlap. Each goes from a peak to the point where it is reached again, or to the end.
 */
export function drawdownsOf(equity: readonly number[], times: readonly string[] = []): Drawdown[] {
  const falls: { from: number; to: number; depth: number }[] = [];
  let peakAt = 0;
  let depth = 0;
  const close = (to: number) => {
    if (depth > 0) falls.push({ from: peakAt, to, depth: rounded(depth) });
    depth = 0;
  };
  for (const [at, value] of equity.entries()) {
    const peak = equity[peakAt] ?? value;
    if (value >= peak) {
      close(at);
      peakAt = at;
    } else if (peak > 0) depth = Math.max(depth, (peak - value) / peak);
  }
  close(equity.length - 1);
  const deepest = falls.sort((a, b) => b.depth - a.depth || a.from - b.from).slice(0, MOST_DRAWDOWNS);
  const named = (at: number) => textFor(times[at] ?? '', MOST_CHARACTERS) || String(at);
  return deepest.map(({ from, to, depth }) => ({ from: named(from), to: named(to), depth }));
}

function rounded(value: number): number {
  const number = Number(value.toPrecision(9));
  return Number.isFinite(number) ? number : Number.MAX_VALUE;
}
