import { defined } from '../../../schemas/defined.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { inputsHash, putBack } from './setupFiles.ts';

/** Puts back what a set-up changed, and keeps out of commits what it made. */
export const finishSetup: Performer<'finishSetup'> = async (effect, ports) => {
  const { runId, laneId, nth, lane, setup, failure } = effect;
  const begin = steadyNow();
  await keepWorktree(runId, lane, ports);
  ports.faults.at('finishSetup.before_finish');
  const { changed, excluded } = await putBack(lane.path);
  ports.faults.at('finishSetup.finished');
  const inputs = failure === null ? await inputsHash(lane.path, setup.again) : undefined;
  const ms = Math.round(steadyNow() - begin);
  const facts = { laneId, nth, ok: failure === null, ...defined({ reason: failure ?? undefined, inputs }) };
  return { type: 'setupFinished', ...facts, changed, excluded, ms };
};
