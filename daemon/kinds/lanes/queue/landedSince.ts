import type { LandedLane } from './queue.ts';

/** The landings after `main` was at `base`. All of them, if no landing began or ended there. */
export function landingsAfter(landed: readonly LandedLane[], base: string): readonly LandedLane[] {
  const next = landed.findIndex(({ before }) => before === base);
  const last = landed.findLastIndex(({ commit }) => commit === base);
  return landed.slice(next >= 0 ? next : last + 1);
}

/** The lanes that landed after `main` was at `base`. */
export function landedSince(landed: readonly LandedLane[], base: string): string[] {
  return landingsAfter(landed, base).map(({ laneId }) => laneId);
}
