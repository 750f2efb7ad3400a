import type { Value } from './reading.ts';

/** Tools write these where there is no value. */
const NOTHING = /^(?:-|–|—|n\/?a|nan|none|null|[-+]?inf(?:inity)?)?$/i;
const NUMBER = /^([-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.(\d*))?(?:e([-+]?\d+))?)\s*([^\d\s].*)?$/i;

/** Sizes in bytes, times in seconds, so that values stay comparable when a tool changes the unit. */
const UNITS: Readonly<Record<string, number>> = {
  '%': 0.01,
  b: 1,
  bytes: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  sec: 1,
  min: 60,
  x: 1,
};

/** A value of a document: a number, or what a tool printed. Undefined for what is neither number nor absence. */
export function readValue(raw: unknown): Value | undefined {
  if (raw === null) return { absent: 'is null' };
  if (typeof raw === 'number') return Number.isFinite(raw) ? raw : { absent: `is ${raw}` };
  return typeof raw === 'string' ? valueOfText(raw.trim()) : undefined;
}

/** A printed number with its unit; a fraction is off by half of its last digit. Undefined for other text. */
export function valueOfText(text: string): Value | undefined {
  if (NOTHING.test(text)) return { absent: text === '' ? 'is empty' : `is ${text}` };
  const [, digits = '', fraction = '', exponent = '0', unit = ''] = NUMBER.exec(text) ?? [];
  if (!/\d/.test(digits)) return undefined;
  const value = Number(digits.replaceAll(',', ''));
  const factor = unit === '' ? 1 : factorOf(unit.trim().toLowerCase());
  if (factor === undefined) return { absent: `has the unknown unit ${unit.trim().slice(0, 20)}` };
  const scaled = value * factor;
  if (!Number.isFinite(scaled)) return { absent: 'is too large' };
  const off = fraction === '' ? 0 : (10 ** (Number(exponent) - fraction.length) / 2) * factor;
  if (unit.trim() === '%') return { value: scaled, off, isPercentage: true };
  return off === 0 ? scaled : { value: scaled, off };
}

function factorOf(unit: string): number | undefined {
  return Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
}

/** True if a label says that its value is a percentage: `Return [%]`, `Win Days %`. */
export function isPercentLabel(label: string): boolean {
  return /[[(]%[\])]|%\s*$|PnL%/.test(label.slice(-200));
}

/** A value of a document under a label. A percentage becomes a ratio, whether the label or the value has the sign. */
export function valueUnder(label: string, raw: unknown): Value | undefined {
  const value = readValue(raw);
  const isScaled = typeof raw === 'string' && raw.includes('%');
  return value !== undefined && isPercentLabel(label) && !isScaled ? ofPercentage(value) : value;
}

function ofPercentage(value: Value): Value {
  if (typeof value === 'number') return { value: value * 0.01, off: 0, isPercentage: true };
  return 'absent' in value ? value : { value: value.value * 0.01, off: value.off * 0.01, isPercentage: true };
}

/** The value with its tool's rounding error. A value that has its own error keeps it. */
export function withOff(value: Value, off: number): Value {
  if (typeof value === 'number') return off > 0 ? { value, off } : value;
  return 'absent' in value || value.off > 0 ? value : { ...value, off };
}

export function magnitude(value: Value): Value {
  if (typeof value === 'number') return Math.abs(value);
  return 'absent' in value ? value : { ...value, value: Math.abs(value.value) };
}

/** The number in a value; undefined if it is absent. */
export function numberIn(value: Value | undefined): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  return 'absent' in value ? undefined : value.value;
}
