import { inputPathInWorktree } from '../../../schemas/files/runPaths.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import type { Effect } from '../../core/effect/effect.ts';
import { laneGates } from '../../core/gates/laneGates.ts';
import { aboutWork } from '../../core/phases/aboutWork.ts';
import { headOf, mergeTime, placeOf } from '../../core/run/lanes.ts';
import { isLaneHeld } from '../../core/run/query.ts';
import type { Assignment, Lane, Run } from '../../core/run/state.ts';
import { conflictSides } from './conflictSides.ts';
import { openAssignment, uncommitted, writeSetOf } from './lane.ts';
import { needsOverlaps } from './overlapGate.ts';
import { dagOf, type LanesPhase } from './plan.ts';
import { isConflict, needsMain, tooManyTries } from './repair.ts';
import { nextTrouble } from './troubles.ts';

/** Finds out whether tasks may write the same files. */
export function overlapEffects(run: Run, phase: LanesPhase): Effect[] {
  if (!needsOverlaps(run, phase) || isLaneHeld(run, phase, MAIN)) return [];
  const { id: phaseId, attempts: attempt } = phase;
  const tasks = dagOf(phase).tasks.map(({ id, writeSet }) => ({ id, writeSet }));
  const key = `findOverlaps:${phaseId}:${attempt}`;
  return [
    { type: 'findOverlaps', runId: run.id, key, phaseId, laneId: MAIN, attempt, main: placeOf(run, MAIN), tasks },
  ];
}

/** A lane needs more than its agent: the commit of its work, or `main`. */
export function laneEffects(run: Run, phase: LanesPhase, lane: Lane): Effect[] {
  if (lane.state !== 'open' || isLaneHeld(run, phase, lane.id)) return [];
  const done = uncommitted(phase, lane);
  if (done)
    return [isConflict(done.key) ? commitResolution(run, phase, lane, done) : commitWork(run, phase, lane, done)];
  return openAssignment(phase, lane) ? [] : prepareLane(run, phase, lane);
}

function commitWork(run: Run, phase: LanesPhase, lane: Lane, assignment: Assignment): Effect {
  const { key, attempt } = assignment;
  const title = dagOf(phase).tasks.find(({ id }) => id === key)?.title ?? `Repair ${lane.id}`;
  return {
    type: 'commitWork',
    runId: run.id,
    key: `commitWork:${phase.id}:${key}:${attempt}`,
    phaseId: phase.id,
    phaseKey: phase.key,
    attempt,
    lane: placeOf(run, lane.id),
    since: headOf(lane),
    title,
    ...aboutWork([assignment]),
    part: { assignment: key, writeSet: writeSetOf(run, phase, lane), base: lane.base },
    bindsWorktree: false,
    hasGate: false,
  };
}

function commitResolution(run: Run, phase: LanesPhase, lane: Lane, assignment: Assignment): Effect {
  const { key, attempt, artifact, onto } = assignment;
  const { path = '', storedPath = null, hash = '' } = artifact ?? {};
  const accepted = laneGates(run, phase, lane.id).some(
    ({ gateKey, state, subject }) => gateKey === 'merge_conflict' && state === 'approved' && subject.assignment === key,
  );
  return {
    type: 'commitResolution',
    runId: run.id,
    key: `commitResolution:${phase.id}:${key}:${attempt}:${accepted}`,
    phaseId: phase.id,
    laneId: lane.id,
    assignment: key,
    lane: placeOf(run, lane.id),
    onto: onto ?? '',
    artifact: { path, storedPath, hash },
    at: mergeTime(run),
    writeSet: writeSetOf(run, phase, lane),
    acceptsDroppedTests: accepted,
  };
}

function prepareLane(run: Run, phase: LanesPhase, lane: Lane): Effect[] {
  const trouble = nextTrouble(run, phase, lane);
  if (!trouble || !needsMain(trouble) || tooManyTries(run, phase, lane, trouble)) return [];
  const onto = dagOf(phase).main;
  return [
    {
      type: 'prepareLane',
      runId: run.id,
      key: `prepareLane:${phase.id}:${trouble.id}:${onto}`,
      phaseId: phase.id,
      laneId: lane.id,
      lane: placeOf(run, lane.id),
      onto,
      conflict: trouble.kind === 'conflict' ? conflictNote(run, phase, lane, trouble.ejection.paths) : null,
      writeSet: writeSetOf(run, phase, lane),
      at: mergeTime(run),
    },
  ];
}

function conflictNote(run: Run, phase: LanesPhase, lane: Lane, paths: readonly string[]) {
  const sides = conflictSides(run, phase, lane, { onto: dagOf(phase).main, paths });
  return { path: conflictPath(phase, lane), nth: lane.ejections.length, ...sides };
}

/** Where the agent of a lane reads what conflicts. */
export function conflictPath(phase: LanesPhase, lane: Lane): string {
  const nth = lane.ejections.length;
  return inputPathInWorktree(lane.path, phase.key, `conflict-${nth}.md`);
}
