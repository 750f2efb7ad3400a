import { defined } from '../../../schemas/defined.ts';
import { kindOfMetric, type MetricUnits, readingsText } from '../../../schemas/objective/units.ts';
import type { Value } from './reading.ts';

type Given = readonly [string, Value][];

interface Source extends MetricUnits {
  /** True if the contract of the file says that it has ratios: `bt/metrics@1`. */
  hasRatios: boolean;
}

/**
 * The values as ratios. A bare number beside a percent target is a percentage, unless the file's contract says ratio.
 * The parser has already read numbers with a percent label. An impossible unit is a fault.
 */
export function inRatios(values: Given, source: Source): { values: [string, Value][]; fault?: string } {
  const faults = values.flatMap(([name, value]) => faultOf(name, value, source) ?? []);
  const read = values.map(([name, value]): [string, Value] => {
    const bare = bareNumber(value);
    if (bare === undefined || source.hasRatios || !source.percent.includes(name)) return [name, value];
    return [name, { value: bare.value / 100, off: bare.off / 100 }];
  });
  return defined({ values: read, fault: faults[0] });
}

/** Rounding errors are no percentages. */
const MORE_THAN_ALL = 1 + 1e-6;

/** A number without a percent sign or label; undefined for others. */
function bareNumber(value: Value): { value: number; off: number } | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, off: 0 } : undefined;
  return 'absent' in value || value.isPercentage ? undefined : value;
}

function faultOf(name: string, value: Value, { percent, ratio, isBase, hasRatios }: Source): string | undefined {
  const bare = bareNumber(value);
  if (!bare || kindOfMetric(name) !== 'share') return undefined;
  const size = Math.abs(bare.value);
  const readings = readingsText(name, bare.value);
  if (ratio.includes(name) && size > MORE_THAN_ALL)
    return `${readings}: give its target the unit percent, or have the command write a ratio`;
  if (!percent.includes(name)) return undefined;
  // Otherwise 3 would be 3 %, and an improvement to 0.9 would be 90 %.
  if (hasRatios && size > MORE_THAN_ALL) return `${readings}: have the command write a ratio`;
  if (size > 100 * MORE_THAN_ALL) return `${readings}: both are more than the whole`;
  if (isBase && !hasRatios && size > 0 && size <= 1)
    return `${readings}: its target is in percent, so have the command write the sign %, or give the target as a ratio`;
  return undefined;
}
