/** One measured number: its value in each round, and the target if there is one. */
export interface Figure {
  /** What was measured, in a few words. Unique within its row. */
  name: string;
  unit: '/s' | 's' | 'ms' | 'µs' | 'MB' | '%' | '×' | '';
  /** One value per round. The report shows the smallest, the median and the largest. */
  rounds: number[];
  aim?: { atLeast: number } | { below: number };
}

/** A row of the benchmark: its own file, a name for the command line, and figures. */
export interface Bench {
  name: string;
  title: string;
  /** What a reader must know to judge the figures. It becomes a paragraph of the document. */
  reading: string;
  run(options: { rounds: number | undefined }): Promise<Figure[]>;
}

export interface Summary {
  min: number;
  median: number;
  max: number;
  /** Undefined if there is no target. */
  met?: boolean;
}

export function summarise({ rounds, aim }: Pick<Figure, 'rounds' | 'aim'>): Summary {
  const sorted = rounds.toSorted((a, b) => a - b);
  const median = quantile(sorted, 0.5);
  const summary = { min: sorted[0] ?? Number.NaN, median, max: sorted.at(-1) ?? Number.NaN };
  if (!aim) return summary;
  return { ...summary, met: 'atLeast' in aim ? median >= aim.atLeast : median < aim.below };
}

/** The value below which the share `q` lies. `sorted` is ascending. */
export function quantile(sorted: readonly number[], q: number): number {
  const at = (sorted.length - 1) * q;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function p50p99(samples: readonly number[]): { p50: number; p99: number } {
  const sorted = samples.toSorted((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** Collects values by name over the rounds. */
export interface Sheet {
  add(name: string, value: number): void;
  of(name: string): number[];
}

export function createSheet(): Sheet {
  const values = new Map<string, number[]>();
  const of = (name: string) => {
    const list = values.get(name) ?? [];
    values.set(name, list);
    return list;
  };
  return { of, add: (name, value) => void of(name).push(value) };
}

/** For single samples: smallest, p50 and largest in one line, and the p95 in the next. */
export function samplesAndP95(name: string, samples: number[], aim?: Figure['aim']): Figure[] {
  const sorted = samples.toSorted((a, b) => a - b);
  const indent = /^ */.exec(name)?.[0] ?? '';
  return [
    { name, unit: 'ms', rounds: samples, ...(aim ? { aim } : {}) },
    { name: `${indent}  ${name.trim()}, p95`, unit: 'ms', rounds: [quantile(sorted, 0.95)] },
  ];
}
