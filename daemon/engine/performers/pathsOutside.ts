import { changedPaths, ignoresCase } from '../../harness/plan/changedPaths.ts';
import { matchesGlob } from '../core/lanes/glob/matchesGlob.ts';
import type { LanePlace } from '../core/run/lanes.ts';

/** Events have room for so many. */
const MOST_PATHS = 200;

/** The paths that differ between two commits of a lane and that its write set does not name. */
export async function pathsOutside(lane: LanePlace, from: string, to: string, writeSet: string[]): Promise<string[]> {
  if (from === to) return [];
  const ignoreCase = await ignoresCase(lane);
  const isOutside = (path: string) => matchesGlob(path, writeSet, { ignoreCase }) === 'no';
  return (await changedPaths(lane, from, to)).filter(isOutside).slice(0, MOST_PATHS);
}
