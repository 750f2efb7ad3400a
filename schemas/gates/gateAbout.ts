import { MAIN } from '../mainLane.ts';

interface About {
  laneId?: string | null | undefined;
  assignment?: string | null | undefined;
}

/** The assignment or the lane that a gate is about; null if it is about its phase. */
export function gateAbout({ laneId = null, assignment }: About): string | null {
  // A gate of the plan or of the merge queue names `main`, which says nothing to a person.
  return assignment ?? (laneId === MAIN ? null : laneId);
}
