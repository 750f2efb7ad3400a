/** A set of UTF-16 code units, as sorted ranges that do not touch. */
export type CharSet = readonly Range[];

type Range = readonly [from: number, to: number];

const LAST = 0xffff;
const DOT = 0x2e;
const SLASH = 0x2f;

/** Most sets are one of these. */
const ONE_CHARACTER = Array.from({ length: 0x80 }, (_, unit): CharSet => [[unit, unit]]);

export const ANY: CharSet = [[0, LAST]];
export const ONLY_SLASH = only(SLASH);

export function only(unit: number): CharSet {
  return ONE_CHARACTER[unit] ?? [[unit, unit]];
}

/** The unit, if it is the only one. */
export function singleUnit(set: CharSet): number | undefined {
  const [first] = set;
  return set.length === 1 && first && first[0] === first[1] ? first[0] : undefined;
}

export function union(ranges: readonly Range[]): CharSet {
  const merged: [number, number][] = [];
  for (const [from, to] of [...ranges].sort(([a], [b]) => a - b)) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

export function complement(set: CharSet): CharSet {
  const starts = [0, ...set.map(([, to]) => to + 1)];
  const ends = [...set.map(([from]) => from - 1), LAST];
  return starts.flatMap((from, index): Range[] => {
    const to = ends[index] as number;
    return from <= to ? [[from, to]] : [];
  });
}

export function has(set: CharSet, unit: number): boolean {
  for (const [from, to] of set) if (from <= unit && unit <= to) return true;
  return false;
}

/** The result of comparing two sets, as far as it matters in a path, is a sum of these. */
export const SHARES_SLASH = 1;
export const SHARES_DOT = 2;
export const SHARES_OTHER = 4;

export function sharedUnits(a: CharSet, b: CharSet): number {
  let found = 0;
  for (const [fromA, toA] of a) {
    for (const [fromB, toB] of b) {
      const from = Math.max(fromA, fromB);
      const to = Math.min(toA, toB);
      if (from > to) continue;
      const dot = from <= DOT && DOT <= to ? SHARES_DOT : 0;
      const slash = from <= SLASH && SLASH <= to ? SHARES_SLASH : 0;
      const isMore = to - from + 1 > Math.sign(dot) + slash;
      found |= dot | slash | (isMore ? SHARES_OTHER : 0);
    }
  }
  return found;
}
