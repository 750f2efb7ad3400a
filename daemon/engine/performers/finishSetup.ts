import { defined } from '../../../schemas/defined.ts';
import { hash } from '../../../schemas/hash.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { endLeftovers } from '../../commands/runner.ts';
import { setupId } from '../../core/run/setupOf.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { finishSetup as finish } from '../../setup/finishSetup.ts';
import { inputsHash } from '../../setup/inputs.ts';
import { keepSetupState } from '../../setup/setupState.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';

/** Events have room for so many. */
const MOST_PATHS = 200;

/** Puts back what a set-up changed, and keeps out of commits what it made. */
export const finishSetup: Performer<'finishSetup'> = async (effect, ports) => {
  const { runId, laneId, nth, lane, setup, failure, commands } = effect;
  const begin = steadyNow();
  await keepWorktree(runId, lane, ports);
  await registerWorktree({ ...lane, filters: ports.config.git.filters });
  // A server of a good set-up stays.
  if (failure !== null) for (const id of commands.ids) await endLeftovers(commands.dir, id);
  ports.faults.at('finishSetup.before_finish');
  const privateGit = await openPrivateGit(lane);
  const { changed, excluded } = await finish({ privateGit, id: setupId(runId, laneId, nth) });
  ports.faults.at('finishSetup.finished');
  const ok = failure === null;
  const inputs = ok ? await inputsHash(lane.path, setup.again) : undefined;
  await keepSetupState(privateGit, { done: ok ? hash([setup, inputs]) : null });
  const facts = { laneId, nth, ok, ...defined({ reason: failure ?? undefined, inputs }) };
  const paths = { changed: changed.slice(0, MOST_PATHS), excluded: excluded.slice(0, MOST_PATHS) };
  return { type: 'setupFinished', ...facts, ...paths, ms: Math.round(steadyNow() - begin) };
};
