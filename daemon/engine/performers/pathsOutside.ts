import { matchesGlob } from '../../core/glob/matchesGlob.ts';
import type { LanePlace } from '../../core/run/lanes.ts';
import { changedPaths, ignoresCase } from '../../repository/change/changedPaths.ts';

/** Events have room for so many. */
const MOST_PATHS = 200;

/** The commits that a turn of an agent lies between, and the tip of `main` that the lane builds on. */
interface Turn {
  from: string;
  to: string;
  base: string;
}

/** The paths that a turn changed and that the write set does not name. A path as on `main` is left out: it was undone. */
export async function pathsOutside(lane: LanePlace, { from, to, base }: Turn, writeSet: string[]): Promise<string[]> {
  if (from === to) return [];
  const ignoreCase = await ignoresCase(lane);
  const isOutside = (path: string) => matchesGlob(path, writeSet, { ignoreCase }) === 'no';
  const outside = (await changedPaths(lane, from, to)).filter(isOutside);
  if (outside.length === 0 || base === from) return outside.slice(0, MOST_PATHS);
  const changed = new Set(await changedPaths(lane, base, to));
  return outside.filter((path) => changed.has(path)).slice(0, MOST_PATHS);
}
