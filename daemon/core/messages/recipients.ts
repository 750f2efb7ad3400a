import { roleInstances } from '../../../schemas/definitions/template.ts';
import { isLaneEnded } from '../../../schemas/enums.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { sessionId } from '../run/keys.ts';
import { hasEndedLane } from '../run/lanes.ts';
import type { Run } from '../run/state.ts';

/** An agent that can get messages, also before it starts. */
export interface Recipient {
  sessionId: string;
  roleId: string;
  laneId: string;
  /** Its lane has ended, and the agent with it. */
  hasEnded: boolean;
}

/** The agents of the run: those that it has, then those that its roles and lanes can still get. */
export function recipientsOf(run: Run): Recipient[] {
  const present = run.sessions.map((session) => ({
    sessionId: session.id,
    roleId: session.roleId,
    laneId: session.laneId,
    hasEnded: hasEndedLane(run, session),
  }));
  const known = new Set(present.map((each) => each.sessionId));
  const lanes = run.lanes.filter(({ state }) => !isLaneEnded(state));
  const possible = run.template.roles
    .flatMap(roleInstances)
    .flatMap((roleId) =>
      lanes
        .filter((lane) => lane.id === MAIN || lane.roleId === roleId)
        .map(({ id: laneId }) => ({ sessionId: sessionId(run.id, roleId, laneId), roleId, laneId, hasEnded: false })),
    );
  return [...present, ...possible.filter((each) => !known.has(each.sessionId))];
}
