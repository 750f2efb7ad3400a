import type { Equity } from './reading.ts';

/** Points of a list: numbers, or pairs of a time and a number. Anything but a number is left out. */
export function equityOfList(list: readonly unknown[]): Equity {
  const equity: Equity = { values: [], times: [] };
  for (const raw of list) {
    const [time, value] = Array.isArray(raw) ? [raw[0], raw.at(-1)] : [undefined, raw];
    add(equity, value, time);
  }
  return withWholeTimes(equity);
}

/** Points of a column by its index, as pandas writes one. */
export function equityOfColumn(column: Readonly<Record<string, unknown>>): Equity {
  const equity: Equity = { values: [], times: [] };
  for (const [index, value] of Object.entries(column)) add(equity, value, Number(index) || index);
  return withWholeTimes(equity);
}

function add({ values, times }: Equity, value: unknown, time: unknown): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) return;
  values.push(value);
  if (typeof time === 'string' || typeof time === 'number') times.push(timeOf(time));
}

function withWholeTimes({ values, times }: Equity): Equity {
  return { values, times: times.length === values.length ? times : [] };
}

/** A number above this is a time in milliseconds, as pandas writes it. A smaller one is the index of a row. */
const LEAST_TIME = 100_000_000_000;

/** A time as text: an ISO time where the tool has one. */
export function timeOf(value: string | number): string {
  if (typeof value === 'string' || value < LEAST_TIME) return String(value);
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? String(value) : date.toISOString();
}
