import { isLaneEnded } from '../../../schemas/enums.ts';
import { deriveFromAssignments } from '../../core/assignment/derive.ts';
import { assignmentEffects } from '../../core/assignment/effects.ts';
import { openComments } from '../../core/comments/comments.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { isDue, isLaneHeld, lastCommit, nextGate } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import { laneDecided } from './decided.ts';
import { lanesFolds } from './evolve.ts';
import { lanesOf } from './lane.ts';
import { laneEffects, overlapEffects } from './laneEffects.ts';
import { laneSteps } from './laneSteps.ts';
import { lanesOutcomes } from './outcomes.ts';
import { isOverlapAsked, needsOverlaps } from './overlapGate.ts';
import { dagOf, type LanesPhase, newDag, planOf, withChanges } from './plan.ts';
import { queueEffects, queueEvents } from './queueSteps.ts';
import { lanesRehearsal } from './rehearsal.ts';
import { laneRequest } from './requests.ts';
import { openLanes } from './schedule.ts';
import type { Task } from './state.ts';

/** The tasks of a plan, in parallel: each lane has a worktree of its own, and its work lands through the merge queue. */
export const lanesRules: KindRules<'lanes'> = {
  begin(run, phase, { nth, cause, changeRequest }) {
    const plan = planOf(run, phase);
    // The approved commit can be one that a person made after devflow's last.
    const main = run.decided?.head ?? lastCommit(run) ?? run.baseCommit;
    if (phase.dag?.plan !== plan.hash) return { assignments: [], dag: newDag(plan, main) };
    // The same plan again: what landed stays.
    const dag = { ...phase.dag, main };
    const asks = cause === 'changes_requested' && changeRequest !== null;
    return {
      assignments: phase.assignments,
      dag: asks ? withChanges(dag, nth, changeRequest, openComments(run, phase)) : dag,
    };
  },
  isEmpty: () => false,
  isAtGate: (run, phase) => isDone(run, phase) && nextGate(run, phase) !== undefined,
  derive(run, phase) {
    if (needsOverlaps(run, phase) || isOverlapAsked(run, phase)) return [];
    const first = deriveFromAssignments(run, phase);
    if (first.length > 0) return first;
    const steps = lanesOf(run, phase).flatMap((lane) => laneSteps(run, phase, lane));
    if (steps.length > 0) return steps;
    const queued = queueEvents(run, phase);
    if (queued.length > 0) return queued;
    const opened = openLanes(run, phase);
    if (opened.length > 0 || !isDone(run, phase)) return opened;
    return [{ type: 'phase.completed', phaseId: phase.id, payload: { attempt: phase.attempts, work: phase.work } }];
  },
  effects(run, phase) {
    const free = phase.assignments.filter((each) => isDue(each) && !isLaneHeld(run, phase, each.laneId));
    const agents = free.flatMap((each) => assignmentEffects(run, phase, each, laneRequest(run, phase, each)));
    const lanes = lanesOf(run, phase).flatMap((lane) => laneEffects(run, phase, lane));
    return [...overlapEffects(run, phase), ...queueEffects(run, phase), ...lanes, ...agents];
  },
  worksIn: (run, phase) => lanesOf(run, phase).flatMap(({ id, state }) => (state === 'open' ? [id] : [])),
  request: laneRequest,
  outcomes: lanesOutcomes,
  folds: lanesFolds,
  rehearsal: lanesRehearsal,
  decided: laneDecided,
};

/** Every task has landed or was abandoned. */
function isDone(run: Run, phase: LanesPhase): boolean {
  const isTaskDone = ({ state }: Task) => state === 'landed' || state === 'abandoned';
  return dagOf(phase).tasks.every(isTaskDone) && lanesOf(run, phase).every(({ state }) => isLaneEnded(state));
}
