import type { Better, Guard, Measure, Objective, Op, Range, Split, Target } from './objective.ts';
import type { MetricUnits } from './units.ts';

interface Compared {
  metric: string;
  op: Op;
  value: number;
  weight?: number;
  unit?: 'ratio' | 'percent';
}

/** A document that keeps to `bt/objective@1` or `@2`. */
export interface ObjectiveDocument {
  targets: Compared[];
  stopWhen?: Objective['stopWhen'];
  measure?: { argv: string[] } & Partial<Omit<Measure, 'argv' | 'timeoutMs' | 'file'>> & {
      timeoutMs?: number;
      file?: string;
    };
  primary?: { metric: string; better?: Better };
  guards?: Compared[];
  splits?: Partial<Record<Split, Range>>;
  repeat?: Partial<Objective['repeat']>;
  editable?: string[];
  protected?: string[];
  stop?: {
    maxIterations?: number;
    maxWallMs?: number;
    plateau?: Partial<Objective['stop']['plateau']>;
    maxInvalid?: number;
  };
}

/** Below so many trades a result is luck. */
const LEAST_TRADES: Guard = { metric: 'trades', op: 'gte', value: 30, isDefault: true };

/** The first version has no more than these fields, and no `measure`. Anything else is a second one with faults. */
export function schemaOfObjective(document: object): 'bt/objective@1' | 'bt/objective@2' {
  const isFirst = Object.keys(document).every((key) => key === 'targets' || key === 'stopWhen');
  return isFirst && 'stopWhen' in document ? 'bt/objective@1' : 'bt/objective@2';
}

/** The objective with all defaults. Pure. */
export function readObjective(document: ObjectiveDocument): Objective {
  const { targets, stopWhen = 'all', measure, primary, guards, splits = {}, repeat = {}, stop = {} } = document;
  const { plateau = {} } = stop;
  return {
    targets: targets.map((target): Target => ({ ...comparison(target), weight: target.weight ?? 1 })),
    stopWhen,
    guards: guards?.map((guard): Guard => ({ ...comparison(guard), isDefault: false })) ?? [LEAST_TRADES],
    primary: primaryOf(targets, primary),
    splits,
    repeat: { baseline: repeat.baseline ?? 3, confirm: repeat.confirm ?? 3 },
    editable: document.editable ?? [],
    protected: document.protected ?? [],
    stop: {
      maxIterations: stop.maxIterations ?? 20,
      maxWallMs: stop.maxWallMs ?? null,
      plateau: { patience: plateau.patience ?? 5, minDelta: plateau.minDelta ?? 0, noise: plateau.noise ?? 2 },
      maxInvalid: stop.maxInvalid ?? 3,
    },
    measure: measure ? withDefaults(measure) : null,
    percent: percentMetrics([...targets, ...(guards ?? [])]),
  };
}

function percentMetrics(compared: readonly Compared[]): string[] {
  return [...new Set(compared.filter(({ unit }) => unit === 'percent').map(({ metric }) => metric))];
}

/** The objective's facts about the units of its metrics. */
export function unitsOf({ percent, primary, targets, guards }: Objective, isBase: boolean): MetricUnits {
  const named = new Set([primary, ...targets, ...guards].map(({ metric }) => metric));
  return { percent, ratio: [...named].filter((metric) => !percent.includes(metric)), isBase };
}

function comparison({ metric, op, value, unit }: Compared): { metric: string; op: Op; value: number } {
  return { metric, op, value: unit === 'percent' ? value / 100 : value };
}

/** Lower is better only where a target says so. */
function primaryOf(targets: readonly Compared[], given?: ObjectiveDocument['primary']): Objective['primary'] {
  const metric = given?.metric ?? targets[0]?.metric ?? '';
  const { op } = targets.find((target) => target.metric === metric) ?? {};
  return { metric, better: given?.better ?? (op === 'lte' || op === 'lt' ? 'lower' : 'higher') };
}

function withDefaults({
  argv,
  timeoutMs = undefined,
  parser = 'metrics',
  file = undefined,
  names = {},
}: NonNullable<ObjectiveDocument['measure']>): Measure {
  return { argv, timeoutMs: timeoutMs ?? null, parser, file: file ?? null, names };
}
