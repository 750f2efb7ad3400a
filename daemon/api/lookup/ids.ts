import { DevflowError } from '../../../schemas/errors.ts';
import type { Run } from '../../core/run/state.ts';
import type { RunEngine } from '../../engine/runEngine.ts';
import type { Lists } from '../../store/lists.ts';

/** Turns a prefix into the whole id. Throws `not_found` or `ambiguous_id`. */
export interface Ids {
  run(ref: string): Promise<string>;
  session(ref: string): Promise<string>;
  artifact(ref: string): Promise<string>;
  schedule(ref: string): Promise<string>;
  approval(ref: string): Promise<{ approvalId: string; runId: string }>;
}

export function createIds({ resolve, runOf }: Pick<Lists, 'resolve' | 'runOf'>): Ids {
  return {
    run: (ref) => resolve('run', ref),
    session: (ref) => resolve('session', ref),
    artifact: (ref) => resolve('artifact', ref),
    schedule: (ref) => resolve('schedule', ref),
    async approval(ref) {
      const approvalId = await resolve('approval', ref);
      return { approvalId, runId: await runOf('approval', approvalId) };
    },
  };
}

/** The run that a list is limited to, if a client named one. */
export async function runNamed(ids: Pick<Ids, 'run'>, ref: string | undefined): Promise<string | undefined> {
  return ref === undefined ? undefined : ids.run(ref);
}

/** The run as the engine has it, else from its log. Throws `not_found`. */
export async function getRun(engine: Pick<RunEngine, 'readRun'>, runId: string): Promise<Run> {
  const run = await engine.readRun(runId);
  if (run) return run;
  throw new DevflowError('not_found', `There is no run ${runId}.`);
}
