import { numberText } from './words.ts';

/**
 * A metric's kind by its name, where that is certain. `share`: a part of a whole, from 0 to 1. `plain`: no percentage.
 */
export type MetricKind = 'share' | 'plain';

const SHARE =
  /^(?:mdd|max(?:imum)?_(?:relative_)?draw_?down(?:_account)?|draw_?down|exposure(?:_time)?|time_in_market|winrate|(?:win|hit|pass|success|error|failure)_rate|(?:test_|line_|branch_|code_)?coverage|accuracy|precision|recall)$/;
const PLAIN = /^(?:(?:sharpe|sortino|calmar)(?:_ratio)?|profit_factor|(?:total_|number_of_)?trades)$/;

/** Undefined for a name that says nothing of it. `Max. Drawdown [%]` is read as `max_drawdown`. */
export function kindOfMetric(name: string): MetricKind | undefined {
  const plain = snakeCase(name);
  if (SHARE.test(plain)) return 'share';
  return PLAIN.test(plain) ? 'plain' : undefined;
}

/** A name as devflow writes it: `Max. Drawdown [%]` becomes `max_drawdown`. */
export function snakeCase(name: string): string {
  return name
    .slice(0, 200)
    .replace(/[[(]%[\])]|%\s*$|﹪/g, '')
    .replace(/PnL%/g, 'pnl_pct')
    .replace(/^\s*#/, 'n')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}

/** An objective's facts about the units of a measurement. */
export interface MetricUnits {
  /** Metrics whose targets, or guards, are in percent. */
  percent: readonly string[];
  /** Other metrics that the objective names. */
  ratio: readonly string[];
  /** True for the state before the first change, where an uncertain unit ends the measurement. */
  isBase: boolean;
}

/** A ratio as a percentage. */
export function percentText(ratio: number): string {
  return `${numberText(ratio * 100)} %`;
}

/** Both readings of a number whose unit is not sure. */
export function readingsText(name: string, value: number): string {
  return `${name} ${numberText(value)} is ${percentText(value)} as a ratio, and ${percentText(value / 100)} as a percentage`;
}
