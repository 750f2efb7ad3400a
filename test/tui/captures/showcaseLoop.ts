import type { RpcResult } from '../../../schemas/rpc/methods/index.ts';
import type { IterationDetail, IterationRow, LoopSummary } from '../../../schemas/rpc/views/backtest.ts';
import { ago } from './showcaseRuns.ts';

export const LOOP_RUN = '5a9e0000-0000-4000-8000-000000000001';

interface Given {
  value: number | null;
  isKept?: boolean;
  hypothesis?: string;
  size?: number;
  seen?: number;
  over?: Partial<IterationRow>;
}

const NEEDED = 0.12;
let best = 0;

function row(iteration: number, { value, isKept = false, hypothesis, size = 0.2, seen, over }: Given): IterationRow {
  const gain = iteration === 0 || value === null ? null : Number((value - best).toFixed(3));
  if (isKept && value !== null) best = value;
  return {
    iteration,
    attempt: Math.max(1, iteration),
    status: 'valid',
    value,
    deviation: iteration === 0 ? 0.06 : null,
    gain,
    needed: iteration === 0 ? 0 : NEEDED,
    targetsMet: value !== null && value >= 1.5 ? 2 : 1,
    isKept,
    isMet: false,
    reason: gain === null ? null : `sharpe gains ${gain}`,
    hypothesis: hypothesis ? { hypothesis, expect: { metric: 'sharpe', direction: 'up', size } } : null,
    seen: seen ?? gain,
    stop: null,
    ...over,
  };
}

const ITERATIONS: readonly IterationRow[] = [
  row(0, { value: 0.82, isKept: true, over: { reason: 'the base has sharpe 0.82' } }),
  row(1, {
    value: 1.07,
    isKept: true,
    hypothesis: 'Trades that end by the time limit lose: leave when the trend turns.',
  }),
  row(2, { value: 1.13, hypothesis: 'A wider stop keeps winners alive in the first hour.' }),
  row(3, {
    value: null,
    hypothesis: 'Trade the opening of Tokyo too, 日本の始値.',
    over: { status: 'invalid', targetsMet: 0, reason: 'the command failed: exit 1' },
  }),
  row(4, { value: 1.58, isKept: true, hypothesis: 'Do not trade on days with little volume.', size: 0.3 }),
  row(5, {
    value: 1.31,
    hypothesis: 'Size positions by volatility.',
    over: {
      stop: { reason: 'holdout', detail: 'the targets are met on the validation part and missed on the holdout' },
    },
  }),
];

const SUMMARY: LoopSummary = {
  runId: LOOP_RUN,
  state: 'paused',
  template: 'backtest-strategy@1',
  repoPath: '/home/ada/strategies',
  metric: 'sharpe',
  better: 'higher',
  targets: 2,
  iterations: 5,
  base: 0.82,
  best: { iteration: 4, value: 1.58, targetsMet: 2 },
  stop: 'holdout',
  createdAt: ago(9100),
};

export const LOOPS: readonly LoopSummary[] = [
  SUMMARY,
  {
    ...SUMMARY,
    runId: '5a9e0000-0000-4000-8000-000000000002',
    state: 'completed',
    repoPath: '/home/ada/site',
    metric: 'bundle',
    better: 'lower',
    targets: 1,
    iterations: 3,
    base: 412_300,
    best: { iteration: 3, value: 196_750, targetsMet: 1 },
    stop: 'met',
    createdAt: ago(90_000),
  },
];

const target = (metric: string, value: number, wanted: number, op: 'gte' | 'lte') => {
  const margin = op === 'gte' ? value - wanted : wanted - value;
  const state = margin >= 0 ? ('met' as const) : ('missed' as const);
  return { metric, op, target: wanted, weight: 1, value, margin, state, reason: null };
};

function detailOf(nth: number, more: Partial<IterationDetail>): IterationDetail {
  const row = ITERATIONS[nth] as IterationRow;
  return {
    ...row,
    iterationId: `e0e0e0e0-0000-4000-8000-00000000000${nth}`,
    commit: `${nth}c0ffee`.padEnd(40, '0'),
    startedAt: ago(9000 - nth * 1200),
    endedAt: ago(8400 - nth * 1200),
    hypothesis: row.hypothesis && { ...row.hypothesis, evidence: ['exit_reason=time'], paths: ['src/exits.ts'] },
    metrics: { sharpe: 1.58, mdd: 0.142, total_return: 0.31, trades: 64, win_rate: 0.53, profit_factor: 1.7 },
    deviations: { sharpe: 0.04 },
    absent: { calmar: 'is NaN' },
    targets: [target('sharpe', 1.58, 1.5, 'gte'), target('mdd', 0.142, 0.15, 'lte')],
    guards: [target('trades', 64, 30, 'gte')],
    holdout: null,
    mined: {
      trades: 64,
      losing: 30,
      clusters: [
        { id: 'exit_reason=time', by: 'exit_reason', value: 'time', count: 14, loss: 0.19, lift: 1.82, support: 0.467 },
        { id: 'hour=09', by: 'hour', value: '09', count: 9, loss: 0.11, lift: 1.4, support: 0.3 },
      ],
      drawdowns: [{ from: '31', to: '58', depth: 0.142 }],
    },
    equity: Array.from({ length: 90 }, (_, at) => 100 + at * 0.4 + 8 * Math.sin(at / 6)),
    measurements: 5,
    ...more,
  };
}

export const SHOWN: RpcResult<'backtest.show'> = {
  summary: SUMMARY,
  objective: {
    targets: [
      { metric: 'sharpe', op: 'gte', value: 1.5 },
      { metric: 'mdd', op: 'lte', value: 0.15 },
    ],
  },
  iterations: [...ITERATIONS],
  detail: detailOf(4, {}),
  dates: { from: '2022-01-03', to: '2022-12-30' },
};

export const COMPARED: RpcResult<'backtest.compare'> = {
  runId: LOOP_RUN,
  a: detailOf(0, { metrics: { sharpe: 0.82, mdd: 0.21, trades: 88, total_return: 0.12 } }),
  b: detailOf(5, {}),
  diff: {
    base: '0c0ffee',
    head: '5c0ffee',
    files: [{ path: 'src/exits.ts', insertions: 2, deletions: 1 }],
    patch:
      'diff --git a/src/exits.ts b/src/exits.ts\n--- a/src/exits.ts\n+++ b/src/exits.ts\n@@ -10 +10,2 @@\n-  if (held > LIMIT) return exit();\n+  if (turned(trend)) return exit();\n+  if (volume < LEAST) return stay();\n',
    truncated: false,
  },
};
