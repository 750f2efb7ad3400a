import type { Line } from './line.ts';

const kept = new WeakMap<object, Map<string, readonly Line[]>>();

/** The lines of something that does not change, made once for each width: a paint does not make a whole text again. */
export function keptLines(of: object, columns: number, make: () => readonly Line[], what = ''): readonly Line[] {
  const key = `${what} ${columns}`;
  const lines = kept.get(of)?.get(key) ?? make();
  // Only the newest width is kept, of each kind.
  const others = [...(kept.get(of) ?? [])].filter(([name]) => !name.startsWith(`${what} `));
  kept.set(of, new Map([...others, [key, lines]]));
  return lines;
}
