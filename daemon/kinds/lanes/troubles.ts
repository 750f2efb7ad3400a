import type { Ejection } from '../../../schemas/kinds/lanes/events.ts';
import { laneGates } from '../../core/gates/laneGates.ts';
import type { CommandRun } from '../../core/run/commandRun.ts';
import type { Approval, Lane, Run } from '../../core/run/state.ts';
import { failedByTurn } from './laneChecks.ts';
import type { LanesPhase } from './plan.ts';

/** Why the agent of a lane must work on it again. `id` is recorded in events, so its form must never change. */
export type Trouble = { id: string } & (
  | { kind: 'conflict' | 'rejected'; ejection: Ejection }
  | { kind: 'checks'; commands: CommandRun[] }
  | { kind: 'comment'; gate: Approval }
  /** A person took the lane up again. `last`: why it came back before. */
  | { kind: 'reopened'; isAsked: boolean; last: Ejection | undefined }
);

/** Begins the ids of what a person asked for. */
const REQUEST = 'gate-';

/** True if a person asked for the repair of this trouble. */
export function isRequested(because: string): boolean {
  return because.startsWith(REQUEST);
}

/** The next trouble that the lane must repair; undefined if a repair of everything has begun. */
export function nextTrouble(run: Run, phase: LanesPhase, lane: Lane): Trouble | undefined {
  const begun = new Set(phase.assignments.map(({ because }) => because));
  const newest = returnsOf(lane).at(-1);
  // The newest return says all that must be done now.
  const isPresent = (trouble: Trouble) => {
    if (trouble.kind === 'reopened') return !trouble.isAsked;
    return !('ejection' in trouble) || trouble.ejection === newest;
  };
  return troublesOf(run, phase, lane).find((trouble) => isPresent(trouble) && !begun.has(trouble.id));
}

/** The trouble with this id. */
export function troubleNamed(run: Run, phase: LanesPhase, lane: Lane, id: string): Trouble {
  const found = troublesOf(run, phase, lane).find((trouble) => trouble.id === id);
  if (!found) throw new TypeError(`lane ${lane.id} has no ${id}`);
  return found;
}

function troublesOf(run: Run, phase: LanesPhase, lane: Lane): Trouble[] {
  const returns = returnsOf(lane);
  const returned = returns.map((ejection): Trouble => {
    const kind = ejection.cause === 'conflict' ? 'conflict' : 'rejected';
    return { id: `${lane.id}.return-${ejection.nth}`, kind, ejection };
  });
  const asked = laneGates(run, phase, lane.id)
    .filter(({ gateKey, state }) => gateKey === 'writeset_conflict' && state === 'changes_requested')
    .map((gate): Trouble => ({ id: `${REQUEST}${gate.id}`, kind: 'comment', gate }));
  const last = returns.at(-1);
  const reopened = lane.reopens.map(({ nth, isAsked }): Trouble => {
    return { id: `${REQUEST}reopen-${lane.id}-${nth}`, kind: 'reopened', isAsked, last };
  });
  return [...returned, ...failedChecks(run, phase, lane), ...asked, ...reopened];
}

/** Why the merge queue sent the lane back, oldest first. After a raced landing it stays in the queue. */
function returnsOf({ ejections }: Lane): Ejection[] {
  return ejections.filter(({ cause }) => cause !== 'raced');
}

/** The failed checks of the lane, by the turn that they checked. */
function failedChecks(run: Run, phase: LanesPhase, lane: Lane): Trouble[] {
  return [...failedByTurn(run, phase, lane)].map(([turn, commands]) => ({
    id: `${lane.id}.checks-${turn}`,
    kind: 'checks',
    commands,
  }));
}
