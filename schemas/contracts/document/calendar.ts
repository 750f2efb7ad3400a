/** Of a date. A year begins with no two zeros. */
export const DATE = /^((?!00)\d{4})-(\d{2})-(\d{2})$/;
/** Of a time: date, time and offset. */
export const TIME =
  /^((?!00)\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** A day of the calendar: 2026-02-30 is none. */
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
