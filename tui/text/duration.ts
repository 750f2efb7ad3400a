import { nextUnit } from './time.ts';

/** What still goes on shows seconds for so long. After that the dashboard repaints once a minute. */
const SECONDS_UNTIL = 600;

/** How long something took or has taken so far: `0.4s`, `12s`, `3m 05s`, `2h 10m`, `3d 4h`. Empty while it has not begun. */
export function duration(from: string | null, to: string | null, now: number): string {
  if (from === null) return '';
  const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
  if (Number.isNaN(ms)) return '';
  if (ms < 10_000 && to !== null) return `${(Math.max(0, ms) / 1000).toFixed(1)}s`;
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (value: number) => String(value).padStart(2, '0');
  if (seconds < 60) return `${seconds}s`;
  if (to === null && seconds >= SECONDS_UNTIL && seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${two(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${two(Math.floor(seconds / 60) % 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${Math.floor(seconds / 3600) % 24}h`;
}

/** When `duration` of what goes on next says something else; never where it has ended. */
export function durationChangesAt(from: string | null, to: string | null, now: number): number | undefined {
  if (to !== null) return undefined;
  return nextUnit(from, now, (seconds) => (seconds < SECONDS_UNTIL ? 1 : seconds < 86_400 ? 60 : 3600));
}
