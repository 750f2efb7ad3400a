import type { NewEvent } from '../../../schemas/events/index.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { requestOwnGate } from '../../core/gates/laneGates.ts';
import { isUndecided } from '../../core/run/query.ts';
import type { Run } from '../../core/run/state.ts';
import type { SharedFiles } from './effect.ts';
import { orderOverlaps } from './graph/taskGraph.ts';
import { liveLanes } from './lane.ts';
import { findOverlaps, type Overlap } from './overlap/findOverlaps.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { planGates } from './planGates.ts';

const GATE = 'parallel_dag_approved';

/** True until it is known whether tasks may write the same files. */
export function needsOverlaps(run: Run, phase: LanesPhase): boolean {
  const { tasks } = dagOf(phase);
  // The lanes of an earlier plan are over, and their tasks are no longer in the plan.
  const isAtWork = liveLanes(run, phase).length > 0 || tasks.some(({ laneId }) => laneId !== null);
  const isKnown = tasks.length < 2 || isAtWork;
  return !isKnown && overlapGates(run, phase).length === 0;
}

/** True while a person decides about overlapping tasks. */
export function isOverlapAsked(run: Run, phase: LanesPhase): boolean {
  return overlapGates(run, phase).some(isUndecided);
}

/** Asks a person about tasks that overlap and have no order; no event if there are none. */
export function askAboutOverlaps(
  run: Run,
  phase: LanesPhase,
  facts: { ignoreCase: boolean; shared: SharedFiles[] },
): NewEvent[] {
  const pairs = findOverlaps(dagOf(phase).tasks, facts);
  return pairs.length === 0 ? [] : [requestOwnGate(run, phase, MAIN, GATE, { pairs, plan: dagOf(phase).plan })];
}

/** The pairs of tasks that a person put in order, first and second. */
export function overlapOrder(run: Run, phase: LanesPhase): [string, string][] {
  const approved = overlapGates(run, phase).find(({ state }) => state === 'approved');
  if (!approved) return [];
  const { tasks } = dagOf(phase);
  const ended = new Set(tasks.filter(({ state }) => state === 'abandoned').map(({ id }) => id));
  // Nobody waits for a task that will never write.
  return orderOverlaps(tasks, approved.subject.pairs as Overlap[]).filter(([first]) => !ended.has(first));
}

function overlapGates(run: Run, phase: LanesPhase) {
  return planGates(run, phase, GATE);
}
