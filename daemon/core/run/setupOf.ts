import { isLaneEnded } from '../../../schemas/enums.ts';
import { derivedId } from '../../../schemas/ids.ts';
import type { WorktreeSetup } from '../../../schemas/repository/worktreeSetup.ts';
import type { CommandRun } from './commandRun.ts';
import type { Lane, Run } from './state.ts';

/**
 * True if agents and commands may work in the lane. After a guess that failed they may, but not without the files and ports that
 * somebody named. A person set up their checkout themselves.
 */
export function isSetUp(
  { setup: how }: Pick<Run, 'setup'>,
  { setup, isCheckout }: Pick<Lane, 'setup' | 'isCheckout'>,
): boolean {
  if (!how || isCheckout || setup?.state === 'done' || setup?.state === 'without') return true;
  return setup?.state === 'failed' && how.isGuess && !(setup.isUnplaced && namesMore(how));
}

/** devflow guesses commands, and directories to clone. */
function namesMore({ copy, link, ports }: WorktreeSetup): boolean {
  return copy.length + link.length + ports.length > 0;
}

/** A set-up of a lane. */
export const setupId = (runId: string, laneId: string, nth: number) => derivedId('setup', runId, laneId, nth);

export const setupCommandId = (runId: string, laneId: string, nth: number, index: number) =>
  derivedId('setup', runId, laneId, nth, index);

/** The ids of all commands that a set-up of a lane can have: those of the settings. */
export function setupCommandIds({ id, setup }: Pick<Run, 'id' | 'setup'>, laneId: string, nth: number): string[] {
  return (setup?.commands ?? []).map((_, index) => setupCommandId(id, laneId, nth, index));
}

/** The commands of a set-up of a lane that have begun, in their order. */
export function setupCommands(run: Run, laneId: string, nth: number): CommandRun[] {
  const ids = new Set(setupCommandIds(run, laneId, nth));
  return run.commands.filter(({ id }) => ids.has(id));
}

/** The commands of set-ups that run. No gate of their lane and no other attempt of a phase ends them. */
export function runningSetupCommands(run: Run): CommandRun[] {
  return run.lanes
    .flatMap(({ id, state, setup }) =>
      setup?.state === 'placed' && !isLaneEnded(state) ? setupCommands(run, id, setup.nth) : [],
    )
    .filter(({ state }) => state === 'started');
}
