import type { NewEvent } from '../../../schemas/events/index.ts';
import type { OutcomeOf } from '../../core/effect/outcome.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import type { KindRules } from '../../core/phases/kindRules.ts';
import { headOf, laneOf } from '../../core/run/lanes.ts';
import { isLaneHeld } from '../../core/run/query.ts';
import type { Assignment, Run } from '../../core/run/state.ts';
import { drifted } from './drift.ts';
import { ejected } from './ejected.ts';
import { finishLane } from './finishLane.ts';
import { uncommitted } from './lane.ts';
import { askAboutOverlaps, needsOverlaps } from './overlapGate.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { mergeConflicted } from './queueSteps.ts';
import { beginRepair } from './repair.ts';
import { openLanes } from './schedule.ts';
import { nextTrouble } from './troubles.ts';

export const lanesOutcomes: KindRules<'lanes'>['outcomes'] = {
  overlapsFound,
  workCommitted,
  lanePrepared,
  resolutionChecked,
  mergeTested: (_, phase, outcome) =>
    isNew(phase, outcome) ? [{ type: 'merge.tested', phaseId: phase.id, payload: outcome.test }] : [],
  mergeConflicted,
  mergeLanded,
  mergeRaced,
};

function overlapsFound(run: Run, phase: LanesPhase, outcome: OutcomeOf<'overlapsFound'>): NewEvent[] {
  if (outcome.attempt !== phase.attempts || !needsOverlaps(run, phase)) return [];
  const asked = askAboutOverlaps(run, phase, outcome);
  return asked.length > 0 ? asked : openLanes(run, phase);
}

/** The assignment whose valid work waits for its commit. */
function waitingFor(run: Run, phase: LanesPhase, key: string): Assignment | undefined {
  const assignment = phase.assignments.find((candidate) => candidate.key === key);
  if (!assignment || isLaneHeld(run, phase, assignment.laneId)) return undefined;
  return uncommitted(phase, { id: assignment.laneId }) === assignment ? assignment : undefined;
}

function workCommitted(run: Run, phase: LanesPhase, { work, part }: OutcomeOf<'workCommitted'>): NewEvent[] {
  const assignment = part && waitingFor(run, phase, part.assignment);
  if (!part || !assignment) return [];
  const { key: taskId, laneId } = assignment;
  const { head, outside } = part;
  return [
    { type: 'task.completed', phaseId: phase.id, payload: { taskId, laneId, work, head } },
    ...drifted(run, phase, laneId, head, outside),
  ];
}

function lanePrepared(run: Run, phase: LanesPhase, outcome: OutcomeOf<'lanePrepared'>): NewEvent[] {
  const { laneId, onto, head, conflicts, outside = [] } = outcome;
  const lane = laneOf(run, laneId);
  const trouble = nextTrouble(run, phase, lane);
  if (lane.state !== 'open' || !trouble || onto !== dagOf(phase).main || isLaneHeld(run, phase, laneId)) return [];
  if (trouble.kind !== 'conflict') {
    if (conflicts.length > 0) return [ejected(phase, lane, { cause: 'conflict', base: onto, paths: conflicts })];
    return [
      beginRepair(run, phase, lane, trouble, { base: onto, head }),
      ...drifted(run, phase, laneId, head, outside),
    ];
  }
  if (conflicts.length > 0) {
    // The agent's late commits are compared with the write set when the resolution is.
    const late = head === headOf(lane) ? {} : { late: head };
    return [beginRepair(run, phase, lane, trouble, { base: onto, ...late })];
  }
  // The conflict is gone. A queued lane opens no gate, so drift is only recorded.
  const drift = drifted(run, phase, laneId, head, outside).filter(({ type }) => type === 'lane.drifted');
  return [...finishLane(phase, lane, head, { base: onto }), ...drift];
}

function resolutionChecked(run: Run, phase: LanesPhase, outcome: OutcomeOf<'resolutionChecked'>): NewEvent[] {
  const { faults, droppedTests, committed, onto } = outcome;
  const assignment = waitingFor(run, phase, outcome.assignment);
  if (!assignment) return [];
  const { key: taskId, laneId } = assignment;
  if (committed) {
    const { work, head, outside } = committed;
    const payload = { taskId, laneId, work, head, base: onto };
    return [{ type: 'task.completed', phaseId: phase.id, payload }, ...drifted(run, phase, laneId, head, outside)];
  }
  if (faults.length > 0) return [refusal(run, phase, laneId, faults)];
  const nth = laneOf(run, laneId).ejections.length;
  return [requestOwnGate(run, phase, laneId, 'merge_conflict', { droppedTests, assignment: taskId, paths: [], nth })];
}

/** A resolution of a conflict that devflow or a person refused. */
export function refusal(run: Run, phase: LanesPhase, laneId: string, faults: string[]): NewEvent {
  const lane = laneOf(run, laneId);
  const conflict = lane.ejections.findLast(({ cause }) => cause === 'conflict');
  const { base = dagOf(phase).main, paths = [] } = conflict ?? {};
  return ejected(phase, lane, { cause: 'conflict', base, paths, faults });
}

function isNew(phase: LanesPhase, { test }: OutcomeOf<'mergeTested'>): boolean {
  return !dagOf(phase).tests.some(
    ({ base, commit, checks, nth }) =>
      base === test.base && commit === test.commit && checks === test.checks && nth === test.nth,
  );
}

function mergeLanded(_: Run, phase: LanesPhase, outcome: OutcomeOf<'mergeLanded'>): NewEvent[] {
  const { from, to, lanes, flaky, work } = outcome;
  const { main, queue } = dagOf(phase);
  if (main !== from || !lanes.every((laneId) => queue.includes(laneId))) return [];
  return [
    { type: 'merge.landed', phaseId: phase.id, payload: { from, to, lanes, flaky, work } },
    ...lanes.map((laneId): NewEvent => ({ type: 'lane.landed', phaseId: phase.id, payload: { laneId, commit: to } })),
  ];
}

/** Nobody is to blame: the lanes stay in the queue, on the new tip of `main`. */
function mergeRaced(run: Run, phase: LanesPhase, { from, now, lanes }: OutcomeOf<'mergeRaced'>): NewEvent[] {
  const [laneId] = lanes;
  if (dagOf(phase).main !== from || laneId === undefined) return [];
  return [ejected(phase, laneOf(run, laneId), { cause: 'raced', base: now })];
}
