/** Between two ISO times, as a person says it; empty while one of them is missing. */
export function duration(from: string | null, to: string | null): string {
  return from === null || to === null ? '' : span(Date.parse(to) - Date.parse(from));
}

export function span(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1000)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
