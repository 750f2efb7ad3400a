import { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';

/** The run as the engine has it, else from its log. Throws `not_found`. */
export async function getRun(engine: Pick<RunEngine, 'readRun'>, runId: string): Promise<Run> {
  const run = await engine.readRun(runId);
  if (run) return run;
  throw new DevflowError('not_found', `There is no run ${runId}.`);
}
