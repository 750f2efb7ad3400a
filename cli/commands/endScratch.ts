import { resolvePaths } from '../../schemas/files/paths.ts';
import { removeScratch } from '../demo/scratch.ts';
import { stopEverything } from '../demo/stopEverything.ts';
import type { Io } from '../io/io.ts';

/** Ends what a killed demo or rehearsal has left, and removes its directory. The guard of the scratch calls it. */
export async function endScratch(directory: string, { env }: Io): Promise<void> {
  await stopEverything({ env }, resolvePaths(env).socketPath);
  removeScratch(directory, env);
}
