import type { Objective, Op, Part, Range } from './objective.ts';
import { SPLITS, WEIGHTED } from './objective.ts';
import { boundsText, isReachable, type Limit } from './reachable.ts';
import { type ObjectiveDocument, readObjective } from './readObjective.ts';
import { kindOfMetric, percentText } from './units.ts';
import { comparisonText, numberText } from './words.ts';

/** The faults of an objective that keeps to its schema, in sentences without full stops. */
export interface ObjectiveFaults {
  /** No state can meet it, or nobody can tell what it means. */
  faults: string[];
  /** Points for a person to check. */
  warnings: string[];
}

/** Pure. */
export function faultsOfObjective(document: ObjectiveDocument): ObjectiveFaults {
  const objective = readObjective(document);
  const compared = [...document.targets, ...(document.guards ?? [])];
  const units = compared.flatMap((each) => unitFault(each) ?? []);
  return {
    faults: [
      ...units,
      // Values of an unknown unit would contradict each other for no reason.
      ...(units.length > 0 ? [] : contradictions(objective)),
      ...directionFaults(document),
      ...unnamedFaults(objective),
      ...rangeFaults(objective),
    ],
    warnings: [...overlaps(objective), ...largeRatios(document)],
  };
}

type Compared = ObjectiveDocument['targets'][number];

/** A unit that cannot be, with both readings. */
function unitFault(compared: Compared): string | undefined {
  const { metric, value, unit } = compared;
  const text = comparisonText(compared);
  const kind = kindOfMetric(metric);
  if (kind === 'plain' && unit === 'percent')
    return `${text} percent reads as ${numberText(value / 100)}, and ${metric} is no percentage: leave its unit out`;
  if (kind !== 'share') return undefined;
  if (value < 0)
    return `${text} reads as ${percentText(ratioOf(compared))}, and ${metric} is never negative: write ${numberText(-value)}`;
  const isPercent = unit === 'percent';
  if (isPercent && value > 100)
    return `${text} percent reads as ${percentText(value / 100)}, and ${metric} is at most 100 %`;
  if (isPercent && value > 0 && value < 1)
    return `${text} percent reads as ${percentText(value / 100)}: write ${numberText(value * 100)} for ${percentText(value)}, or ${numberText(value / 100)} without a unit`;
  if (!isPercent && value > 1)
    return `${text} reads as ${percentText(value)}: give it "unit": "percent" for ${percentText(value / 100)}, or write ${numberText(value / 100)}`;
  return undefined;
}

function ratioOf({ value, unit }: Compared): number {
  return unit === 'percent' ? value / 100 : value;
}

/** Targets and guards that no value of their metric meets together. */
function contradictions({ targets, guards, stopWhen }: Objective): string[] {
  const metrics = [...new Set([...targets, ...guards].map(({ metric }) => metric))];
  const of = (metric: string, all: readonly Limit[]) => all.filter((each) => each.metric === metric);
  const hard = stopWhen === 'all' ? [...targets, ...guards] : guards;
  const faults = metrics.filter((metric) => !isReachable(metric, of(metric, hard)));
  if (faults.length > 0) return faults.map((metric) => `no ${metric} is ${boundsText(metric, of(metric, hard))}`);
  if (stopWhen === 'all') return [];
  const alone = targets.filter((target) => isReachable(target.metric, [target, ...of(target.metric, guards)]));
  const sum = (some: readonly { weight: number }[]) => some.reduce((all, { weight }) => all + weight, 0);
  if (sum(alone) >= WEIGHTED * sum(targets) - 1e-9) return [];
  return [
    `targets with ${WEIGHTED} of the weight can never be met: the guards, or what the metrics are, forbid the others`,
  ];
}

/** Better in one direction, and a target in the other. */
function directionFaults({ primary, targets }: ObjectiveDocument): string[] {
  if (!primary?.better) return [];
  const against: readonly Op[] = primary.better === 'higher' ? ['lte', 'lt'] : ['gte', 'gt'];
  const own = targets.filter(({ metric }) => metric === primary.metric);
  const target = own.find(({ op }) => against.includes(op));
  // A bound on either side is a band: within it, the direction holds.
  const isBand = own.some(({ op }) => !against.includes(op));
  return target && !isBand
    ? [
        `primary says that a ${primary.better} ${primary.metric} is better, and a target wants ${comparisonText(target)}`,
      ]
    : [];
}

/** Where `names` has the metrics, nothing else is read. */
function unnamedFaults({ measure, targets, guards, primary }: Objective): string[] {
  const names = Object.keys(measure?.names ?? {});
  const isNamed = measure !== null && ['json', 'csv', 'keyvalue'].includes(measure.parser) && names.length > 0;
  if (!isNamed) return [];
  const wanted = [primary, ...targets, ...guards.filter(({ isDefault }) => !isDefault)].map(({ metric }) => metric);
  const missing = [...new Set(wanted)].filter((metric) => !names.includes(metric));
  return missing.map((metric) => `${metric} is never measured: measure.names does not have it`);
}

function rangeFaults({ splits }: Objective): string[] {
  return SPLITS.flatMap((part) => {
    const range = splits[part];
    return range && isAfter(range.from, range.to)
      ? [`splits.${part} ends before it begins: ${range.from} to ${range.to}`]
      : [];
  });
}

/** A holdout that was looked at before proves nothing. */
function overlaps({ splits: { holdout, train, validation } }: Objective): string[] {
  if (!holdout) return [];
  const parts: [Part, Range | undefined][] = [
    ['train', train],
    ['validation', validation],
  ];
  return parts.flatMap(([part, range]) =>
    range && isWithin(range, holdout) ? [`splits.holdout overlaps splits.${part}: what it shows was seen before`] : [],
  );
}

function isWithin(a: Range, b: Range): boolean {
  const bounds = [a.from, a.to, b.from, b.to];
  if (!bounds.every(isOrdered) && !(a.from === b.from && a.to === b.to)) return false;
  return !isAfter(a.from, b.to) && !isAfter(b.from, a.to);
}

const DATE = /^\d{4}(?:-\d\d(?:-\d\d(?:[T ].*)?)?)?$/;
const NUMBER = /^-?\d+(?:\.\d+)?$/;
const isOrdered = (bound: string) => DATE.test(bound) || NUMBER.test(bound);

/** False for bounds that only the command understands. */
function isAfter(one: string, other: string): boolean {
  if (NUMBER.test(one) && NUMBER.test(other)) return Number(one) > Number(other);
  const length = Math.min(one.length, other.length);
  // 2023 to 2023-06 is no fault: what they have in common decides.
  return DATE.test(one) && DATE.test(other) && one.slice(0, length) > other.slice(0, length);
}

/** A ratio of other metrics may be above 1, but hardly above 10. */
const LARGE = 10;
const RATIO = /^(?:(?:total|annual|annualized|cumulative)_)?(?:return|cagr|volatility)$/;

function largeRatios({ targets, guards = [] }: ObjectiveDocument): string[] {
  return [...targets, ...guards].flatMap((each) => {
    if (each.unit === 'percent' || Math.abs(each.value) <= LARGE || !RATIO.test(each.metric)) return [];
    return [
      `${comparisonText(each)} reads as ${percentText(each.value)}; for ${percentText(each.value / 100)}, give it "unit": "percent"`,
    ];
  });
}
