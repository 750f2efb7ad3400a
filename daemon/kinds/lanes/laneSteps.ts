import type { NewEvent } from '../../../schemas/events/index.ts';
import { commandStarted } from '../../core/run/commandStarted.ts';
import { laneCommandId } from '../../core/run/keys.ts';
import { headOf } from '../../core/run/lanes.ts';
import { isLaneHeld } from '../../core/run/query.ts';
import { isSetUp } from '../../core/run/setupOf.ts';
import type { Lane, Run } from '../../core/run/state.ts';
import { finishLane } from './finishLane.ts';
import { openAssignment } from './lane.ts';
import { nextCheck } from './laneChecks.ts';
import type { LanesPhase } from './plan.ts';
import { beginRepair, needsMain, tooManyTries } from './repair.ts';
import { joiningTask, startTask } from './schedule.ts';
import { nextTrouble } from './troubles.ts';

/** A lane's own next step; nothing while its agent, a check, the queue or a person is at it. */
export function laneSteps(run: Run, phase: LanesPhase, lane: Lane): NewEvent[] {
  if (lane.state !== 'open' || isLaneHeld(run, phase, lane.id) || openAssignment(phase, lane)) return [];
  const trouble = nextTrouble(run, phase, lane);
  if (trouble) {
    const gate = tooManyTries(run, phase, lane, trouble);
    if (gate) return [gate];
    return needsMain(trouble) ? [] : [beginRepair(run, phase, lane, trouble)];
  }
  const next = joiningTask(run, phase, lane);
  return next ? [startTask(phase, next, lane.id, lane.roleId ?? '')] : checkSteps(run, phase, lane);
}

/** The checks of its tasks run in the lane, one after another; one that fails runs once more. Then it is queued. */
function checkSteps(run: Run, phase: LanesPhase, lane: Lane): NewEvent[] {
  const turn = phase.assignments.filter(({ laneId }) => laneId === lane.id).length;
  const started = run.commands.filter((command) => command.laneId === lane.id && command.turn === turn);
  if (started.some(({ state }) => state === 'started')) return [];
  const next = nextCheck(run, phase, lane, started);
  if (next && !isSetUp(run, lane)) return [];
  if (next) {
    const index = started.length;
    const place = {
      commandId: laneCommandId(phase, lane.id, turn, index),
      laneId: lane.id,
      turn,
      index,
      cwd: lane.path,
    };
    return [commandStarted(run, phase, { ...place, kind: 'test', ...next })];
  }
  return finishLane(phase, lane, headOf(lane));
}
