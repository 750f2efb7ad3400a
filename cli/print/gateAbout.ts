/** The lane or the assignment that a gate is about; null if it is about its phase. */
export function gateAbout({ laneId, assignment }: { laneId: string | null; assignment: string | null }): string | null {
  // A gate of the plan or of the merge queue names `main`, which says nothing to a person.
  return assignment ?? (laneId === 'main' ? null : laneId);
}
