import { DevflowError } from '../../../schemas/errors.ts';
import { runState } from '../../../schemas/states/run.ts';
import type { Run } from './state.ts';

/** The refusal of what the state of the run does not allow. `why` follows the name of the run. */
export function stateConflict(run: Pick<Run, 'id' | 'state'>, why: string): DevflowError {
  const message = `Run ${run.id} ${why}: its state is ${runState(run).word}.`;
  return new DevflowError('state_conflict', message, { runId: run.id, data: { currentState: run.state } });
}
