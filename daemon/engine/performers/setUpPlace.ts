import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { DevflowError } from '../../../schemas/errors.ts';
import { evaluationPlace, integrationPath } from '../../../schemas/files/runPaths.ts';
import { forgetCommand } from '../../commands/commandFiles.ts';
import { endLeftovers } from '../../commands/runner.ts';
import type { PlaceSetup } from '../../core/run/setupEnvironment.ts';
import type { Run } from '../../core/run/state.ts';
import type { WorktreePlace } from '../../repository/git/worktreePlace.ts';
import { openPrivateGit, type PrivateGit } from '../../repository/privateGit/privateGit.ts';
import { knowSecrets } from '../../sessions/transcript/knownSecrets.ts';
import { recallPorts } from '../../setup/choosePorts.ts';
import { readSecrets } from '../../setup/readSecrets.ts';
import { forgetSetupCommand, type SetupEnd, setUpDirectly } from '../../setup/setUpDirectly.ts';
import { portsBeside, readSetupState } from '../../setup/setupState.ts';
import { systemClock } from '../../system/clock.ts';
import type { PerformerPorts } from './performer.ts';
import { withinSandbox } from './withinSandbox.ts';

/** The ports of all lanes of open runs but this one. */
export function takenPorts(runs: readonly Run[], but?: { runId: string; laneId: string }): number[] {
  return runs.flatMap(({ id, lanes }) =>
    lanes
      .filter((lane) => id !== but?.runId || lane.id !== but.laneId)
      .flatMap(({ setup }) => Object.values(setup?.ports ?? {})),
  );
}

/** Recalls the ports of devflow's own worktrees, which are in no log. */
export function recallOwnPorts(runs: readonly Run[]): void {
  for (const { id, workspaceRoot } of runs) {
    const own = [integrationPath(workspaceRoot, id), evaluationPlace(workspaceRoot, id).worktree];
    for (const path of own) recallPorts(portsBeside(path));
  }
}

/** A place without agents needs this to be set up. */
export interface SetUpPlace {
  place: WorktreePlace;
  setup: PlaceSetup;
  id: string;
  signal: AbortSignal;
}

/** Sets up a place of devflow's own, if it is not. A failed set-up runs again at the next call. */
export async function setUpPlace(
  { place, setup: how, id, signal }: SetUpPlace,
  { openRuns }: Pick<PerformerPorts, 'openRuns'>,
): Promise<SetupEnd> {
  const { setup, names: env, timeoutMs, dir, sandbox } = how;
  const privateGit = await openPrivateGit(place);
  await forgetOthers(privateGit, dir, id);
  const input = { privateGit, setup, dir, id, env, timeoutMs, signal, takenPorts: takenPorts(openRuns()) };
  const end = await setUpDirectly({ ...input, ...withinSandbox({ sandbox, place, dir }), now: systemClock.now });
  knowSecrets(privateGit.path, await readSecrets(privateGit));
  if (end.failed) await forgetSetupCommand(privateGit, dir, basename(end.failed.result.stdoutPath, '.out'));
  return end;
}

/** True if a set-up of the place under this id has begun, and may still run. Its files must stay as they are. */
export async function isSettingUp(place: WorktreePlace, id: string): Promise<boolean> {
  const privateGit = await openPrivateGit(place).catch(() => undefined);
  if (!privateGit) return false;
  const { before } = await readSetupState(privateGit);
  return before?.id.startsWith(id) ?? false;
}

/** Ends and forgets the commands of a place that was there before this one. In this one they must run again. */
async function forgetOthers(privateGit: PrivateGit, dir: string, id: string): Promise<void> {
  const { done, before, started } = await readSetupState(privateGit);
  if (done !== null || before !== null || Object.keys(started).length > 0) return;
  const names = await readdir(dir).catch(() => []);
  const others = names.filter((name) => name.startsWith(`${id}-`)).map((name) => name.slice(0, name.indexOf('.')));
  for (const each of new Set(others)) {
    await endLeftovers(dir, each);
    forgetCommand(dir, each);
  }
}

/** Throws if a set-up that is no guess failed. */
export function assertSetUp({ setup }: PlaceSetup, { ok, reason = '', failed }: SetupEnd, place: string): void {
  if (ok || setup.isGuess) return;
  const message = `The set-up of ${place} failed: ${failed?.argv.join(' ') ?? ''}: ${reason}. Its output is in ${failed?.result.stderrPath}.`;
  throw new DevflowError('setup_failed', message);
}
