/** The server of the engine, for people: `Temporal at host:7233 does not answer (…), since 2026-11-27T01:02:03.000Z`. */
export function serverAwayWords({
  address,
  away,
}: {
  address: string;
  away: { since: string; reason: string };
}): string {
  return `Temporal at ${address} ${away.reason}, since ${away.since}`;
}

/** The meaning for a person. */
export const WITHOUT_SERVER = 'What runs goes on; nothing new begins until it is back.';
