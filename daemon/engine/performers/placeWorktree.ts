import { defined } from '../../../schemas/defined.ts';
import type { PlacedPath, RefusedPath } from '../../../schemas/events/worktree.ts';
import { steadyNow } from '../../../schemas/time/steadyTime.ts';
import { endLeftovers } from '../../commands/runner.ts';
import { setupId } from '../../core/run/setupOf.ts';
import { excludeVariables } from '../../repository/privateGit/ownExcludes.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { registerWorktree } from '../../repository/worktree/restoreWorktree.ts';
import { knowSecrets } from '../../sessions/transcript/knownSecrets.ts';
import { keepPorts } from '../../setup/choosePorts.ts';
import type { CopyProgress } from '../../setup/copyInWorker.ts';
import { commandsLeft, inputsHash } from '../../setup/inputs.ts';
import { type Placed, placeFiles } from '../../setup/placeFiles.ts';
import { readSecrets } from '../../setup/readSecrets.ts';
import { rememberBefore } from '../../setup/worktreeBefore.ts';
import { keepWorktree } from './keepWorktree.ts';
import type { Performer } from './performer.ts';
import { takenPorts } from './setUpPlace.ts';

/** Events have room for so many. */
const MOST_PATHS = 200;

/** Gives a worktree what it needs of the person's checkout, and finds out which commands must run. */
export const placeWorktree: Performer<'placeWorktree'> = async (effect, ports, signal) => {
  const { runId, laneId, nth, lane, setup } = effect;
  const begin = steadyNow();
  await keepWorktree(runId, lane, ports);
  await registerWorktree({ ...lane, filters: ports.config.git.filters });
  for (const id of effect.earlier.ids) await endLeftovers(effect.earlier.dir, id);
  ports.faults.at('placeWorktree.before_place');
  const privateGit = await openPrivateGit(lane);
  const { worktrees } = ports;
  worktrees.copied(runId, { laneId, files: 0, bytes: 0 });
  const onProgress = (done: CopyProgress) => worktrees.copied(runId, { laneId, ...done });
  const placing = placeFiles({ privateGit, setup, signal, onProgress });
  const found = await placing.finally(() => worktrees.endCopy(runId, laneId));
  knowSecrets(privateGit.path, await readSecrets(privateGit));
  await rememberBefore(privateGit, setupId(runId, laneId, nth));
  const commands = await commandsLeft(privateGit, found.placed, setup.commands);
  // Those of the log stay in the worktree until it has new ones, so that a kill changes none.
  const taken = takenPorts(ports.openRuns(), { runId, laneId });
  const numbers = await keepPorts(privateGit, setup.ports, taken, effect.ports);
  ports.faults.at('placeWorktree.placed');
  const env = await excludeVariables(privateGit, setup.env);
  const inputs = await inputsHash(lane.path, setup.again);
  const facts = { laneId, nth, inputs, ...shownOf(found), ports: numbers, env, commands };
  return { type: 'worktreePlaced', ...facts, ms: Math.round(steadyNow() - begin) };
};

function shownOf({ placed, refused }: Placed): { placed: PlacedPath[]; refused: RefusedPath[] } {
  const skipped = placed.flatMap((each) => each.skipped.map(({ path, reason }) => ({ path, reason })));
  return {
    placed: placed.slice(0, MOST_PATHS).map(({ path, how, files, bytes, shared }) => {
      return { path, how, files, bytes, ...defined({ shared: shared ? (true as const) : undefined }) };
    }),
    refused: [...refused.map(({ path, reason }) => ({ path, reason })), ...skipped].slice(0, MOST_PATHS),
  };
}
