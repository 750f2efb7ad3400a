const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** The first letters decide: `m`, `min`, `minutes`; only `ms` is longer. */
const UNITS: Readonly<Record<string, number>> = { w: 7 * DAY, d: DAY, h: HOUR, m: MINUTE, s: SECOND };

const UNIT = '(?:w(?:eeks?)?|d(?:ays?)?|h(?:ours?|rs?)?|ms|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)';
const PIECE = String.raw`\d+(?:\.\d+)?\s*${UNIT}(?![a-z])`;
const WAIT = new RegExp(`^(?:in|after) (?:about |~ ?)?((?:${PIECE}(?:,? and |, ?| )?)+)`, 'i');
const PIECES = new RegExp(String.raw`(\d+(?:\.\d+)?)\s*(${UNIT})`, 'gi');

/** Milliseconds of `in 5 days 22 hours`, `after 21h56m44s`, `in less than a minute` at the start of the text. */
export function waitIn(text: string): number | undefined {
  if (/^in less than a minute\b/i.test(text)) return MINUTE;
  // `1h2m3s`: a letter may follow a unit only after a digit.
  const [, wait] = WAIT.exec(text.replaceAll(/(?<=\d[a-z]{1,2})(?=\d)/gi, ' ')) ?? [];
  if (wait === undefined) return undefined;
  return [...wait.matchAll(PIECES)].reduce((sum, [, count, unit = '']) => sum + Number(count) * lengthOf(unit), 0);
}

function lengthOf(unit: string): number {
  return unit.toLowerCase() === 'ms' ? 1 : (UNITS[unit.charAt(0).toLowerCase()] ?? 0);
}
