import { readInside } from '../../../schemas/files/insideRoot.ts';
import { readRegular } from '../../../schemas/files/openRegular.ts';
import type { Measurement } from '../../../schemas/objective/measured.ts';
import { METRICS_VARIABLE } from '../../../schemas/objective/measuringEnvironment.ts';
import { type Measure, type ParserName, PRINTED } from '../../../schemas/objective/objective.ts';
import type { MetricUnits } from '../../../schemas/objective/units.ts';
import { settled } from './canonical.ts';
import { csvParser } from './csv.ts';
import { failureIn, normaliseFailure } from './failure.ts';
import { freqtradeParser } from './freqtrade.ts';
import { jsonParser } from './json.ts';
import { keyvalueParser } from './keyvalue.ts';
import { metricsParser } from './metrics.ts';
import { mine } from './mine.ts';
import { LARGEST_BYTES, type Parser, type Reading, textFor, Unreadable, type Value } from './reading.ts';
import { seriesParser } from './series.ts';
import { inRatios } from './units.ts';

/** All parsers; a missing one does not compile. */
const PARSERS: { readonly [P in ParserName]: Parser } = {
  metrics: metricsParser,
  json: jsonParser,
  csv: csvParser,
  keyvalue: keyvalueParser,
  freqtrade: freqtradeParser,
  series: seriesParser,
};

const MOST_METRICS = 200;
const MOST_NAME = 80;
const MOST_REASON = 200;
const MOST_POINTS = 200;

export interface ReadMeasurement {
  /** The directory that the command wrote to. */
  dir: string;
  stdoutPath: string;
  stderrPath: string;
  ended: { ok: boolean; reason: string };
  source: Pick<Measure, 'parser' | 'file' | 'names'>;
  /** Absent for runs in which a bare number is a ratio, whatever its target says. */
  units?: MetricUnits;
}

/** Reads the measurement of a command. It never throws for the command's output: unreadable output is a fault. */
export async function readMeasurement(input: ReadMeasurement): Promise<Measurement> {
  const { dir, stdoutPath, stderrPath, ended, source, units } = input;
  if (!ended.ok) return failed(`the command failed: ${ended.reason}`, failureIn(stderrPath) ?? ended.reason);
  const parser = PARSERS[source.parser];
  const file = source.file ?? parser.file;
  const read = file === PRINTED ? readRegular(stdoutPath, LARGEST_BYTES) : readInside(dir, file, LARGEST_BYTES);
  const name = file === PRINTED ? 'what the command printed' : file;
  if (!read.ok) {
    const why = read.missing
      ? `is not there: the command did not write it to $${METRICS_VARIABLE}`
      : `cannot be read: ${read.fault}`;
    return failed(`${name} ${why}`, `${file} ${read.missing ? 'is not there' : 'cannot be read'}`);
  }
  try {
    return kept(parser.read(read.bytes, source.names), units && unitsIn(source.parser, units));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return failed(`${name} ${error.message}`, `${name} ${error.message}`);
  }
}

const NOTHING: Omit<Measurement, 'fault' | 'failure'> = {
  metrics: {},
  rounded: {},
  absent: {},
  seed: null,
  data: {},
  mined: null,
  equity: null,
};

function failed(fault: string, failure: string): Measurement {
  return { ...NOTHING, fault: textFor(fault, MOST_REASON), failure: normaliseFailure(failure) };
}

type UnitsIn = Parameters<typeof inRatios>[1];

/** Undefined for tools: their ratios and percentages are known. */
function unitsIn(parser: ParserName, units: MetricUnits): UnitsIn | undefined {
  if (parser === 'freqtrade' || parser === 'series') return undefined;
  return { ...units, hasRatios: parser === 'metrics' };
}

/** Cut to what the log keeps. */
function kept({ metrics, seed, data = {}, trades, equity }: Reading, units: UnitsIn | undefined): Measurement {
  const read = units ? inRatios(settled(metrics, trades), units) : { values: settled(metrics, trades) };
  if (read.fault !== undefined) throw new Unreadable(`has a unit that is not sure: ${read.fault}`);
  const text = (key: 'sha256' | 'from' | 'to') =>
    data[key] === undefined ? {} : { [key]: textFor(data[key], MOST_NAME) };
  return {
    ...split(read.values),
    seed: seed === undefined ? null : textFor(seed, MOST_NAME),
    data: { ...text('sha256'), ...text('from'), ...text('to') },
    mined: trades || equity ? mine(trades ?? [], equity) : null,
    equity: equity && equity.values.length > 0 ? thinned(equity.values) : null,
    fault: null,
    failure: null,
  };
}

/** Numbers first, so that a log full of texts does not crowd them out. The first of a name counts. */
function split(given: readonly [string, Value][]): Pick<Measurement, 'metrics' | 'rounded' | 'absent'> {
  const values = new Map<string, { value: number; off: number }>();
  const reasons = new Map<string, string>();
  for (const [raw, read] of given) {
    const name = textFor(raw, MOST_NAME);
    if (name === '' || name === '__proto__') continue;
    const value = typeof read === 'number' ? { value: read, off: 0 } : read;
    if ('absent' in value) reasons.set(name, reasons.get(name) ?? textFor(value.absent, MOST_REASON));
    else if (!Number.isFinite(value.value)) reasons.set(name, reasons.get(name) ?? `is ${value.value}`);
    else if (!values.has(name) && values.size < MOST_METRICS) values.set(name, value);
  }
  const numbers = [...values];
  const absent = [...reasons].filter(([name]) => !values.has(name)).slice(0, MOST_METRICS - values.size);
  return {
    metrics: Object.fromEntries(numbers.map(([name, { value }]) => [name, value])),
    rounded: Object.fromEntries(
      numbers.flatMap(([name, { off }]) => (off > 0 && Number.isFinite(off) ? [[name, off]] : [])),
    ),
    absent: Object.fromEntries(absent),
  };
}

/** Evenly chosen points, with the first and the last. */
function thinned(points: readonly number[]): number[] {
  if (points.length <= MOST_POINTS) return [...points];
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, index) => points[Math.round(index * step)] ?? 0);
}
