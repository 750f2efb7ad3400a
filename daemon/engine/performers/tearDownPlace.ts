import type { Logger } from 'pino';
import { derivedId } from '../../../schemas/ids.ts';
import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import { endLeftovers } from '../../commands/runner.ts';
import { type PlaceSetup, placeSetup } from '../../core/run/setupEnvironment.ts';
import type { Run } from '../../core/run/state.ts';
import { isDirectory } from '../../repository/git/repositoryFiles.ts';
import type { WorktreePlace } from '../../repository/git/worktreePlace.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { NO_BRANCH } from '../../repository/worktree/detachedWorktree.ts';
import { knowSecrets } from '../../sessions/transcript/knownSecrets.ts';
import { setupVariables } from '../../setup/setUpDirectly.ts';
import { readSetupState } from '../../setup/setupState.ts';
import { tearDown } from '../../setup/tearDown.ts';
import { systemClock } from '../../system/clock.ts';
import { withinSandbox } from './withinSandbox.ts';

/** The removal of a worktree waits for each command so long at most. */
const LONGEST_MS = 60_000;

/** Runs the commands of the set-up that come before a worktree is removed. Failures are only logged. */
export async function tearDownPlace(
  run: Run,
  { name, ...place }: WorktreePlace & { name: string },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { setup } = placeSetup(run, name, place.path);
  const ofLane = run.commands.filter(({ kind, laneId }) => kind === 'setup' && laneId === name);
  const commandIds = ofLane.map(({ id }) => id);
  if (setup) await tearDownSetup({ runId: run.id, name, place, setup, commandIds }, log);
}

export interface TearDownSetup {
  runId: string;
  name: string;
  place: WorktreePlace;
  setup: PlaceSetup;
  /** Commands that the set-up's own record does not have. */
  commandIds?: readonly string[];
}

/** The same, of what an effect knows. Also after a set-up that failed: its first commands may have started something. */
export async function tearDownSetup(
  { runId, name, place, setup: how, commandIds = [] }: TearDownSetup,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (!(await isDirectory(place.path))) return;
  const { setup, names, dir, sandbox } = how;
  try {
    const privateGit = await openPrivateGit(place);
    knowSecrets(privateGit.path, []);
    const { done, before, finished, started, ports } = await readSetupState(privateGit);
    const last = before?.id ?? finished?.id;
    const wasBegun = done !== null || last !== undefined || Object.keys({ ...started, ...ports }).length > 0;
    if (!wasBegun) return;
    const env = worktreeEnvironment(setup.env, { ...(await setupVariables(privateGit, setup)), ...names });
    // A place that is made again is torn down again.
    const id = derivedId('teardown', runId, name, last ?? '', JSON.stringify(started));
    const within = withinSandbox({ sandbox, place, dir });
    const facts = { privateGit, commands: setup.teardown, dir, id, env, ...within };
    const failed = await tearDown({ ...facts, timeoutMs: LONGEST_MS, now: systemClock.now });
    for (const each of [...commandIds, ...Object.keys(started)]) await endLeftovers(dir, each);
    for (const { argv, result } of failed) log.warn({ runId, argv, output: result.stderrPath }, 'a teardown failed');
  } catch (err) {
    log.warn({ err, runId, worktree: place.path }, 'the worktree was removed without its teardown');
  }
}

/** The same for a place of devflow's own. */
export function tearDownOwnPlace(
  run: Run,
  { name, path }: { name: 'checks' | 'evaluation'; path: string },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  return tearDownPlace(run, { name, repoPath: run.repoPath, path, branch: NO_BRANCH }, log);
}
