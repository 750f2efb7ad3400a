import { duration } from '../../schemas/time/duration.ts';
import { nextUnit } from './time.ts';

/** Something that still runs shows seconds for this long. After that the dashboard repaints once a minute. */
const SECONDS_UNTIL = 600;

/** The duration of something, or its duration so far. Empty before it starts. */
export function elapsed(from: string | null, to: string | null, now: number): string {
  if (from === null) return '';
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  if (Number.isNaN(ms)) return '';
  if (to !== null) return duration(ms);
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds >= SECONDS_UNTIL && seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return duration(ms);
}

/** When `elapsed` changes next; undefined once the thing has ended. */
export function elapsedChangesAt(from: string | null, to: string | null, now: number): number | undefined {
  if (to !== null) return undefined;
  return nextUnit(from, now, (seconds) => (seconds < SECONDS_UNTIL ? 1 : seconds < 86_400 ? 60 : 3600));
}
