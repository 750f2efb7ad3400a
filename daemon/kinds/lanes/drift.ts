import type { NewEvent } from '../../../schemas/events/index.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import { matchesGlob } from '../../core/glob/matchesGlob.ts';
import { laneOf } from '../../core/run/lanes.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { lanesOf, writeSetOf } from './lane.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { landedSince } from './queue/landedSince.ts';

/**
 * The lane changed paths that its tasks did not name. Recorded; a person decides only if another lane that works, or that
 * landed since, may change them too.
 */
export function drifted(run: Run, phase: LanesPhase, laneId: string, head: string, paths: string[]): NewEvent[] {
  if (paths.length === 0) return [];
  const lane = laneOf(run, laneId);
  const others = rivalsOf(run, phase, lane)
    .filter((other) => writeSetOf(run, phase, other).some((glob) => paths.some((path) => mayMatch(path, glob))))
    .map(({ id }) => id);
  const payload = { laneId, head, paths, with: others };
  const event: NewEvent = { type: 'lane.drifted', phaseId: phase.id, payload };
  return others.length === 0 ? [event] : [event, requestOwnGate(run, phase, laneId, 'writeset_conflict', payload)];
}

/** The other lanes that work, and those that landed after this one opened. */
function rivalsOf(run: Run, phase: LanesPhase, lane: Lane): Lane[] {
  const since = landedSince(dagOf(phase).landings, lane.base);
  return lanesOf(run, phase).filter(
    ({ id, state }) => id !== lane.id && (state === 'open' || state === 'queued' || since.includes(id)),
  );
}

/** True if a glob may mean this path. A path is compared without regard to case, because some file systems do so. */
function mayMatch(path: string, glob: string): boolean {
  return matchesGlob(path, [glob], { ignoreCase: true }) !== 'no';
}
