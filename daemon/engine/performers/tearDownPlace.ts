import type { Logger } from 'pino';
import { commandOutputDir } from '../../../schemas/files/runPaths.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { worktreeEnvironment } from '../../../schemas/repository/variables.ts';
import { endLeftovers } from '../../commands/runner.ts';
import { commandSandbox } from '../../core/run/sandboxOf.ts';
import { placeNames } from '../../core/run/setupEnvironment.ts';
import type { Run } from '../../core/run/state.ts';
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

/** Runs the commands of the set-up that come before a worktree is removed. What fails is logged, and nothing more. */
export async function tearDownPlace(
  run: Run,
  { name, ...place }: WorktreePlace & { name: string },
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  const { id: runId, setup, workspaceRoot } = run;
  if (!setup) return;
  try {
    const privateGit = await openPrivateGit(place);
    knowSecrets(privateGit.path, []);
    const { done, started, ports } = await readSetupState(privateGit);
    const wasBegun = done !== null || Object.keys({ ...started, ...ports }).length > 0;
    if (!wasBegun) return;
    const names = placeNames(run, { name, worktree: place.path });
    const env = worktreeEnvironment(setup.env, { ...(await setupVariables(privateGit, setup)), ...names });
    const id = derivedId('teardown', runId, name);
    const dir = commandOutputDir(workspaceRoot, runId);
    const within = withinSandbox({ ...commandSandbox(run), place, dir });
    const facts = { privateGit, commands: setup.teardown, dir, id, env, ...within };
    const failed = await tearDown({ ...facts, timeoutMs: LONGEST_MS, now: systemClock.now });
    const ofLane = run.commands
      .filter(({ kind, laneId }) => kind === 'setup' && laneId === name)
      .map((each) => each.id);
    for (const each of [...ofLane, ...Object.keys(started)]) await endLeftovers(dir, each);
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
