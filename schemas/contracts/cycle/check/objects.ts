import { shorten } from '../../../text/phrases.ts';
import { isTime } from '../../document/calendar.ts';
import { checkFields, type Field, isMap, ownValue } from '../../document/fields.ts';
import type { ContractCode } from '../../report/codes.ts';
import { isCycleZone } from '../state/cycleTime.ts';
import type { Findings } from './findings.ts';

export type AnyObject = Readonly<Record<string, unknown>>;

/** Longer lists are not checked entry by entry. */
const MOST_ENTRIES = 100_000;

/** An example's sign for a time that is left out. */
export const LEFT_OUT = '...';

export const required = (name: string, kind: Field['kind'], more: Partial<Field> = {}): Field => {
  return { name, kind, isRequired: true, ...more };
};
export const optional = (name: string, kind: Field['kind'], more: Partial<Field> = {}): Field => {
  return { name, kind, isRequired: false, ...more };
};

/** Checks the fields of an object. `codes` has the codes of wrong values that have their own. */
export function checkObject(
  findings: Findings,
  at: string,
  fields: readonly Field[],
  object: AnyObject,
  codes: Readonly<Record<string, ContractCode>> = {},
): void {
  const prefix = at === '' ? '' : `${at}.`;
  const given: Record<string, unknown> = {};
  for (const { name, kind, isRequired } of fields) {
    const value = ownValue(object, name);
    if (value === undefined || (kind === 'time' && value === LEFT_OUT)) continue;
    if (value === null && !isRequired) {
      findings.add('CYCLE_NULL_FIELD', `${prefix}${name} is null. Leave it out instead.`, `${prefix}${name}`);
      continue;
    }
    given[name] = value;
    if (kind === 'time' && typeof value === 'string') checkZone(findings, `${prefix}${name}`, value);
  }
  for (const { field, what, message } of checkFields(fields, given)) {
    const code = what === 'missing' ? 'CYCLE_MISSING_FIELD' : (codes[field] ?? 'CYCLE_INVALID_FIELD');
    findings.add(code, `${prefix}${message}`, `${prefix}${field}`);
  }
}

/** The entries of a list that are objects, with their places. `code` is for the others. */
export function objectsOf(
  findings: Findings,
  at: string,
  list: unknown,
  code: ContractCode = 'CYCLE_INVALID_FIELD',
): { at: string; object: AnyObject }[] {
  if (!Array.isArray(list) || isTooLong(findings, at, list.length)) return [];
  return list.flatMap((entry: unknown, index) => {
    const place = `${at}[${index}]`;
    if (isMap(entry)) return { at: place, object: entry };
    findings.add(code, `${place} is no object.`, place);
    return [];
  });
}

/** The entries of an object, with their places. */
export function entriesOf(findings: Findings, at: string, map: unknown): { at: string; key: string; value: unknown }[] {
  if (!isMap(map)) return [];
  const keys = Object.keys(map);
  if (isTooLong(findings, at, keys.length)) return [];
  return keys.map((key) => ({ at: `${at}.${shorten(key)}`, key, value: map[key] }));
}

/** Checks a time that is no field of its own. */
export function checkTime(findings: Findings, at: string, value: unknown): void {
  if (typeof value === 'string' && isTime(value)) checkZone(findings, at, value);
  else findings.add('CYCLE_INVALID_FIELD', `${at} is no time such as 2026-01-22T10:00:00+08:00.`, at);
}

function checkZone(findings: Findings, at: string, time: string): void {
  if (!isTime(time) || isCycleZone(time)) return;
  findings.add('CYCLE_TIME_ZONE', `${at} is ${time}, which is not in UTC+8.`, at);
}

function isTooLong(findings: Findings, at: string, length: number): boolean {
  if (length <= MOST_ENTRIES) return false;
  findings.add('CYCLE_INVALID_FIELD', `${at} has ${length} entries, which is more than ${MOST_ENTRIES}.`, at);
  return true;
}
