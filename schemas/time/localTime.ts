/** Local time to the second: `2026-11-21 08:12:35`. Intl would take longer than the rest of a command's output. */
export function localTime(iso: string | null): string {
  if (iso === null) return '–';
  const at = new Date(iso);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** The zone of local times at that moment: `UTC+01:00`. */
export function zoneAt(iso: string): string {
  const minutes = -new Date(iso).getTimezoneOffset();
  const size = Math.abs(minutes);
  return `UTC${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}

/** Replaces UTC times in a text, `2026-11-21T08:12:35.120Z` or `2026-11-21 08:12:35 UTC`, with local times. */
export function withLocalTimes<T extends string | null>(text: T): T {
  const instant = /\b(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z| UTC)(?!\w)/g;
  const local = (all: string, day: string, time: string) => {
    const iso = `${day}T${time}Z`;
    // An agent may write a day that does not exist.
    return Number.isNaN(Date.parse(iso)) ? all : localTime(iso);
  };
  return (text?.replace(instant, local) ?? null) as T;
}
