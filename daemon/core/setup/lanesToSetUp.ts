import { isLaneEnded } from '../../../schemas/enums.ts';
import { MAIN } from '../../../schemas/mainLane.ts';
import { kindOf } from '../../kinds/index.ts';
import type { Effect } from '../effect/effect.ts';
import { isLaneHeld, isPhaseAtWork } from '../run/query.ts';
import { isSetUp } from '../run/setupOf.ts';
import type { Lane, Phase, Run } from '../run/state.ts';

/** The lanes in which the phase goes on once they are set up. */
export function lanesToSetUp(run: Run, phase: Phase): Lane[] {
  if (!run.setup || !isPhaseAtWork(phase)) return [];
  const wanted = kindOf(phase).worksIn(run, phase);
  return run.lanes.filter((lane) => wanted.includes(lane.id) && !isLaneEnded(lane.state) && !isSetUp(run, lane));
}

/** Those that no gate holds. */
export function lanesInSetup(run: Run, phase: Phase): Lane[] {
  return lanesToSetUp(run, phase).filter(({ id }) => !isLaneHeld(run, phase, id));
}

/** True if the effect needs the worktree set up: an agent gets a prompt, or commands run. */
export function waitsForSetup(effect: Effect, lanes: readonly Lane[]): boolean {
  const laneId = laneNeeded(effect);
  return lanes.some(({ id }) => id === laneId);
}

function laneNeeded(effect: Effect): string | undefined {
  switch (effect.type) {
    case 'startSession':
    case 'recoverSession':
    case 'sendPrompt':
      return effect.session.laneId;
    case 'runCommand':
      return effect.kind === 'setup' ? undefined : (effect.laneId ?? MAIN);
    case 'performStep':
      return MAIN;
    default:
      return undefined;
  }
}
