import { resolvePaths } from '../../schemas/files/paths.ts';
import { runningKeeper } from '../../schemas/keeper/record.ts';

/** The pid of the keeper of the daemon that `devflow up` started. */
export function keeperOf({ env }: { env: Record<string, string> }): number {
  const keeper = runningKeeper(resolvePaths(env).keeperFile);
  if (keeper === undefined) throw new Error('no keeper runs');
  return keeper.pid;
}
