import type { Verdict } from './measured.ts';
import type { Op } from './objective.ts';

/** Measurements as text, in the terminal, the dashboard and the report. */

const WORDS = { gte: 'at least', lte: 'at most', eq: 'equal to', gt: 'more than', lt: 'less than' } as const;

/** Digits that a person reads, unless two numbers differ in later ones. */
const DIGITS = 6;
/** So many digits tell any two numbers apart. */
const ALL_DIGITS = 17;

/** A measured number, with as many digits as a person compares. */
export function numberText(value: number, digits = DIGITS): string {
  return String(Number(value.toPrecision(digits)));
}

/** Both numbers in so many digits that different ones look different. */
export function numberTexts(one: number, other: number): [string, string] {
  for (let digits = DIGITS; digits < ALL_DIGITS; digits += 1) {
    const texts: [string, string] = [numberText(one, digits), numberText(other, digits)];
    if (one === other || texts[0] !== texts[1]) return texts;
  }
  return [numberText(one, ALL_DIGITS), numberText(other, ALL_DIGITS)];
}

/** A difference, with its sign. */
export function changeText(value: number): string {
  return `${value > 0 ? '+' : ''}${numberText(value)}`;
}

/** A value that may be unknown, with its standard deviation where there is one. */
export function valueText({ value, deviation }: { value: number | null; deviation: number | null }): string {
  if (value === null) return '-';
  return deviation === null ? numberText(value) : `${numberText(value)} ± ${numberText(deviation)}`;
}

/** A target, or a guard, and what was seen, as a person reads it. */
export function targetSentence({ metric, op, target, value, reason, state }: Verdict): string {
  const [seen, wanted] = value === null || state === 'met' ? [value, target].map(textOf) : numberTexts(value, target);
  const why = reason === null ? '' : ` (${reason})`;
  return `${metric} must be ${WORDS[op]} ${wanted} and is ${seen}${why}`;
}

/** The condition of a target, or a guard: `mdd at most 15`. */
export function comparisonText({ metric, op, value }: { metric: string; op: Op; value: number }): string {
  return `${metric} ${WORDS[op]} ${numberText(value)}`;
}

function textOf(value: number | null): string {
  return value === null ? 'unknown' : numberText(value);
}

interface Expecting {
  expect: { metric: string; direction: 'up' | 'down'; size: number };
}

/** The expectation of the hypothesis: `sharpe +0.2`. */
export function expectedText(hypothesis: Expecting | null): string {
  if (!hypothesis) return '';
  const { metric, direction, size } = hypothesis.expect;
  return `${metric} ${changeText(direction === 'up' ? Math.abs(size) : -Math.abs(size))}`;
}
