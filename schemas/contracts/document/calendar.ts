/** The pattern of a date. No year begins with two zeros. */
export const DATE = /^((?!00)\d{4})-(\d{2})-(\d{2})$/;
/** The pattern of a time: date, time and offset. */
export const TIME =
  /^((?!00)\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** True for a day of the calendar: false for 2026-02-30. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (!year) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.toISOString().startsWith(text);
}

/** An instant with its offset. */
export function isTime(text: string): boolean {
  const [, date] = TIME.exec(text) ?? [];
  return date !== undefined && isDate(date);
}

/** The pattern of an instant. It does not check whether the day exists. */
export const INSTANT =
  /^((?!00)\d{4}-\d{2}-\d{2})(?:T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?$/;

/**
 * The instant of an ISO 8601 text, in milliseconds since 1970; undefined if it is none. Without an offset it is UTC, so that
 * every machine reads the same.
 */
export function instantOf(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, date, hour, , , offset] = INSTANT.exec(value) ?? [];
  if (date === undefined || !isDate(date)) return undefined;
  const at = Date.parse(hour !== undefined && offset === undefined ? `${value}Z` : value);
  return Number.isNaN(at) ? undefined : at;
}

/** The text of an instant, as devflow writes it. */
export function textOfInstant(at: number): string {
  return new Date(at).toISOString();
}

export function isTimeText(value: unknown): value is string {
  return typeof value === 'string' && isTime(value);
}
