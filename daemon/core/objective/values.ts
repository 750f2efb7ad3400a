import type { Measurement } from '../../../schemas/objective/measured.ts';

/** All measurements of one part together. */
export interface Summary {
  /** The number of measurements. */
  count: number;
  /** Means. */
  metrics: Record<string, number>;
  /** Sample standard deviations; none for a single measurement. */
  deviations: Record<string, number>;
  /** A value can be off by this much, because the tool rounds. */
  rounded: Record<string, number>;
  /** Why a metric has no value. A metric without a value in one measurement is absent. */
  absent: Record<string, string>;
  /** Why there is no measurement, or why one failed as a whole; absent if neither is so. */
  fault?: string;
}

/** Pure. */
export function summarise(measurements: readonly Measurement[]): Summary {
  const fault =
    measurements.length === 0 ? 'it was not measured' : measurements.find((each) => each.fault !== null)?.fault;
  const count = measurements.length;
  const summary: Summary = { count, metrics: {}, deviations: {}, rounded: {}, absent: {}, ...(fault ? { fault } : {}) };
  const names = new Set(
    measurements.flatMap(({ metrics, absent }) => [...Object.keys(metrics), ...Object.keys(absent)]),
  );
  for (const name of [...names].sort()) {
    const why = measurements.map((each) => missingIn(each, name)).find((reason) => reason !== undefined);
    if (why !== undefined) {
      put(summary.absent, name, why);
      continue;
    }
    const values = measurements.map(({ metrics }) => metrics[name] as number);
    const mean = meanOf(values);
    if (!Number.isFinite(mean)) {
      put(summary.absent, name, 'its values are too large to add');
      continue;
    }
    // JSON knows no -0: what is judged now must equal what is judged from the log.
    put(summary.metrics, name, mean + 0);
    if (values.length > 1) put(summary.deviations, name, deviationOf(values, mean));
    const off = Math.max(...measurements.map(({ rounded }) => own(rounded, name) ?? 0));
    if (off > 0) put(summary.rounded, name, off);
  }
  return summary;
}

/** Why a metric has no value. */
export function whyAbsent({ absent, fault }: Summary, metric: string): string {
  return own(absent, metric) ?? fault ?? 'the measurement does not have it';
}

/** A name of a tool may be `__proto__`. */
function put<T>(record: Record<string, T>, name: string, value: T): void {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The value of a name that the record itself has. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

function missingIn({ metrics, absent, fault }: Measurement, name: string): string | undefined {
  const why = own(absent, name);
  if (why !== undefined) return why;
  if (own(metrics, name) !== undefined) return undefined;
  return fault ?? 'not every measurement has it';
}

function meanOf(values: readonly number[]): number {
  const [first = Number.NaN] = values;
  // Equal values have exactly their mean.
  if (values.every((value) => value === first)) return first;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviationOf(values: readonly number[], mean: number): number {
  // A sum of squares would lose small numbers, and noise with them.
  const deviation = Math.hypot(...values.map((value) => value - mean)) / Math.sqrt(values.length - 1);
  return Number.isFinite(deviation) ? deviation : Number.MAX_VALUE;
}
