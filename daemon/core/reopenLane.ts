import { DevflowError } from '../../schemas/errors.ts';
import type { NewEvent } from '../../schemas/events/index.ts';
import { LANE_STATES } from '../../schemas/states/lanes.ts';
import { stateOf } from '../../schemas/states/state.ts';
import { stateRulesOf } from '../kinds/states.ts';
import { keepsFailuresLocal } from './run/behaviour.ts';
import { currentPhase, isFrozen } from './run/query.ts';
import { restartPhase } from './run/restartPhase.ts';
import type { Lane, Phase, Run } from './run/state.ts';

const AT_WORK: readonly Phase['state'][] = ['running', 'awaiting_artifact', 'validating'];
const OVER: readonly Phase['state'][] = ['awaiting_approval', 'completed'];

/** A person takes an abandoned lane up again. A phase that was over begins once more. An error says why that is impossible. */
export function reopenLane(
  run: Run,
  { laneId, comment }: { laneId: string; comment: string | null },
): NewEvent[] | DevflowError {
  const lane = run.lanes.find(({ id }) => id === laneId);
  const phase = run.phases.find(({ id }) => id === lane?.phaseId);
  if (!lane || !phase) {
    const names = run.lanes.flatMap(({ id, phaseId }) => (phaseId === null ? [] : [id])).join(', ');
    return new DevflowError('not_found', `Run ${run.id} has no lane ${laneId}; it has ${names || 'none'}.`);
  }
  const why = refusal(run, lane, phase);
  if (why !== undefined) {
    return new DevflowError('state_conflict', why, { runId: run.id, data: { currentState: run.state } });
  }
  const payload = { laneId, nth: lane.reopens.length + 1, comment };
  const reopened: NewEvent = { type: 'lane.reopened', phaseId: phase.id, payload };
  return AT_WORK.includes(phase.state) ? [reopened] : [reopened, restartPhase(phase, 'retry', null)];
}

function refusal(run: Run, { id, state }: Lane, phase: Phase): string | undefined {
  // Without attempts of its own, an assignment cannot begin once more in the same attempt of its phase.
  if (!keepsFailuresLocal(run))
    return `An earlier version of devflow began run ${run.id}, so ${id} cannot be taken up again. Start a new run for its tasks.`;
  if (state !== 'abandoned')
    return `The state of ${id} is ${stateOf(LANE_STATES, state).word}. Only an abandoned lane can be taken up again.`;
  if (isFrozen(run)) return `Run ${run.id} is paused. Resume it first.`;
  if (!stateRulesOf(phase).isPlanned?.(phase, id)) return `The plan of ${id} was replaced.`;
  if (AT_WORK.includes(phase.state)) return undefined;
  const current = currentPhase(run);
  if (!OVER.includes(phase.state) || current?.state !== 'awaiting_approval')
    return `Phase ${current?.key ?? phase.key} is at work. Take ${id} up again at its gate.`;
  return undefined;
}
