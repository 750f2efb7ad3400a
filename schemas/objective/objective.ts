/** The measured goal of a run. `readObjective` makes it of `bt/objective@1` and `@2`. */
export interface Objective {
  targets: Target[];
  /** `weighted`: the met targets must have at least `WEIGHTED` of the weight. */
  stopWhen: 'all' | 'weighted';
  guards: Guard[];
  /** The metric whose gain decides whether an iteration is kept. */
  primary: { metric: string; better: Better };
  /** The parts of the data. Without any, everything is measured at once. */
  splits: Partial<Record<Split, Range>>;
  /** The number of measurements of the judged part: at the base, and again before a target counts as reached. */
  repeat: { baseline: number; confirm: number };
  /** Globs of the files that agents may change; empty: all that are not protected. */
  editable: string[];
  /** Globs of the files that no agent may change. */
  protected: string[];
  stop: {
    maxIterations: number;
    maxWallMs: number | null;
    /** Ends after `patience` valid iterations without a gain. A gain is above `minDelta` and `noise` standard deviations. */
    plateau: { patience: number; minDelta: number; noise: number };
    maxInvalid: number;
  };
  /** The command that measures; null if it is given in another way. */
  measure: Measure | null;
  /** Metrics whose targets, or guards, are in percent. */
  percent: string[];
}

export type Op = 'gte' | 'lte' | 'eq' | 'gt' | 'lt';
export type Better = 'higher' | 'lower';

/** The value is a ratio, also where the file has a percentage. */
export interface Target {
  metric: string;
  op: Op;
  value: number;
  weight: number;
}

/** A condition without which no iteration is kept. */
export interface Guard {
  metric: string;
  op: Op;
  value: number;
  /** The default of devflow: it does not count if the tool never reports the metric. */
  isDefault: boolean;
}

export const SPLITS = ['train', 'validation', 'holdout'] as const;
export type Split = (typeof SPLITS)[number];
/** The measured part, or everything. */
export type Part = Split | 'all';

/** Dates or any other bounds; devflow hands them to the command. */
export interface Range {
  from: string;
  to: string;
}

export const PARSERS = ['metrics', 'json', 'csv', 'keyvalue', 'freqtrade', 'series'] as const;
export type ParserName = (typeof PARSERS)[number];

export interface Measure {
  argv: string[];
  timeoutMs: number | null;
  /** `metrics`: the file is `bt/metrics@1`. */
  parser: ParserName;
  /** The file in `$DEVFLOW_METRICS`; null: the usual one of the parser; `PRINTED`: what the command prints. */
  file: string | null;
  /** Where each metric is in the file: a JSON pointer, a column or a key. Metrics that are not named keep their name. */
  names: Readonly<Record<string, string>>;
}

/** In place of a file: what the command prints. */
export const PRINTED = '-';

/** The share of the weight that must be met for `weighted`. */
export const WEIGHTED = 0.8;
