import { defined } from '../../../schemas/defined.ts';
import type { NewEvent } from '../../../schemas/events/index.ts';
import type { Ejection } from '../../../schemas/kinds/lanes/events.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { laneGates, requestOwnGate } from '../../core/gates/laneGates.ts';
import { definitionOf } from '../../core/run/query.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import type { LanesPhase } from './plan.ts';
import { isRequested, type Trouble } from './troubles.ts';

/** A lane's agent has so many tries to resolve one conflict, and to make checks pass. Then devflow asks a person. */
const CONFLICT_TRIES = 2;
const REPAIRS = 2;

/** True if the tip of `main` must come into the lane before its agent begins. */
export function needsMain(trouble: Trouble): boolean {
  // The lane may have ended with a conflict in its worktree.
  if (trouble.kind === 'reopened') return trouble.last?.cause === 'conflict';
  return trouble.kind === 'conflict' || (trouble.kind === 'rejected' && trouble.ejection.cause === 'interaction');
}

/** The gate to open instead of one more try; undefined while the agents may try. */
export function tooManyTries(run: Run, phase: LanesPhase, lane: Lane, trouble: Trouble): NewEvent | undefined {
  if (trouble.kind === 'comment' || trouble.kind === 'reopened') return undefined;
  if (trouble.kind === 'conflict') {
    const { paths, nth, faults } = trouble.ejection;
    if (conflictTries(run, phase, lane, nth) < CONFLICT_TRIES) return undefined;
    return requestOwnGate(run, phase, lane.id, 'merge_conflict', { paths, nth, faults, droppedTests: [] });
  }
  const decided = laneGates(run, phase, lane.id).filter(({ gateKey }) => gateKey === 'merge_failed').length;
  if (repairsOf(phase, lane).length < REPAIRS * (decided + 1)) return undefined;
  return requestOwnGate(run, phase, lane.id, 'merge_failed', {
    failed: failedIn(trouble),
    because: trouble.id,
    ejections: lane.ejections.map(withoutTails),
  });
}

/** The checks that the agent could not repair. */
function failedIn(trouble: Trouble): string[][] {
  if ('ejection' in trouble) return trouble.ejection.results.map(({ argv }) => argv);
  return trouble.kind === 'checks' ? trouble.commands.map(({ argv }) => argv) : [];
}

/** A gate keeps no outputs: it has the paths of their files, and there can be many. */
function withoutTails({ results, ...ejection }: Ejection): Ejection {
  return { ...ejection, results: results.map(({ tail: _, ...result }) => result) };
}

/** Refused tries at this conflict, since a person last had it tried again. */
function conflictTries(run: Run, phase: LanesPhase, lane: Lane, nth: number): number {
  const asked = laneGates(run, phase, lane.id).filter(({ gateKey }) => gateKey === 'merge_conflict');
  const since = Math.max(0, ...asked.map(({ subject }) => Number(subject.nth)));
  const series = lane.ejections.filter((ejection) => ejection.nth > since && ejection.nth <= nth);
  const other = series.findLastIndex(({ cause, faults }) => cause !== 'conflict' || faults.length === 0);
  return series.length - 1 - other;
}

/** The tries to make the checks pass. A repair that a person asked for is no such try. */
function repairsOf(phase: LanesPhase, { id }: Lane) {
  return phase.assignments.filter(
    ({ laneId, because, key }) => laneId === id && because !== null && !isConflict(key) && !isRequested(because),
  );
}

export function isConflict(key: string): boolean {
  return key.includes('#conflict-');
}

/**
 * Asks an agent to repair the lane. `onto`: the tip of `main`, and the lane's head after it came in. If it conflicts, `late`
 * is the head with the late commits of the agent.
 */
export function beginRepair(
  run: Run,
  phase: LanesPhase,
  lane: Lane,
  trouble: Trouble,
  onto?: { base: string; head?: string; late?: string },
): NewEvent {
  const nth = phase.assignments.filter(({ laneId, because }) => laneId === lane.id && because !== null).length + 1;
  const taskId = `${lane.id}#${trouble.kind === 'conflict' ? 'conflict' : 'fix'}-${nth}`;
  const roleId = repairerOf(run, phase, lane, trouble);
  const payload = defined({ taskId, laneId: lane.id, roleId, because: trouble.id, onto });
  return { type: 'task.started', phaseId: phase.id, payload };
}

/** The lane's own agent, but another persona for the second try at a conflict, if the phase has one. */
function repairerOf(run: Run, phase: LanesPhase, lane: Lane, trouble: Trouble): string {
  const own = lane.roleId ?? MAIN;
  if (trouble.kind !== 'conflict' || conflictTries(run, phase, lane, trouble.ejection.nth) === 0) return own;
  const [, second] = definitionOf(run, phase).roles;
  return run.bindings.find(({ role }) => role === second)?.roleId ?? own;
}
