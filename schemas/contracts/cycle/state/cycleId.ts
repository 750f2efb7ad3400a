import { DevflowError } from '../../../errors.ts';
import { shorten } from '../../../text/phrases.ts';
import { isTime } from '../../document/calendar.ts';
import { compactTime, cycleTime } from './cycleTime.ts';

/** Other programs also write a date without a time, and shorter or longer suffixes. */
const ID = /^cycle-v1-(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2}))?-[a-z0-9]{4,12}$/;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SUFFIX = 6;

export function isCycleId(text: string): boolean {
  return ID.test(text);
}

/** Refuses what is no id, before it becomes part of a path. */
export function requireCycleId(text: string): string {
  if (isCycleId(text)) return text;
  throw new DevflowError('usage', `“${shorten(text)}” is no id of a cycle.`, {
    recoveryHint: 'An id has the form cycle-v1-20260122T100000-abc123. List the ids: devflow cycle list.',
  });
}

/** A new id. `bytes` are random. */
export function makeCycleId(now: number, bytes: Uint8Array): string {
  const suffix = Array.from(bytes.subarray(0, SUFFIX), (byte) => LETTERS[byte % LETTERS.length]).join('');
  return `cycle-v1-${compactTime(now)}-${suffix}`;
}

/** When a cycle began, according to its id. A day or an hour that does not exist is `now`, and so is the future. */
export function birthOf(id: string, now: number): string {
  const [, year, month, day, hour = '00', minute = '00', second = '00'] = ID.exec(id) ?? [];
  const time = `${year}-${month}-${day}T${hour}:${minute}:${second}+08:00`;
  return isTime(time) && Date.parse(time) <= now ? time : cycleTime(now);
}
