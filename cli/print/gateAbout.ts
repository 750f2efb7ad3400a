interface About {
  laneId?: string | null;
  assignment?: string | null;
}

/** The lane or the assignment that a gate is about; null if it is about its phase. */
export function gateAbout({ laneId, assignment }: About): string | null {
  const about = assignment ?? laneId ?? null;
  // A gate of the plan or of the merge queue names `main`, which says nothing to a person.
  return about === 'main' ? null : about;
}
