import { resolvePaths } from '../../schemas/files/paths.ts';
import { removeScratch } from '../demo/scratch.ts';
import { stopEverything } from '../demo/stopEverything.ts';
import type { Action } from '../io/io.ts';

/** Ends what a killed demo or rehearsal has left, and removes its directory. The guard of the scratch calls it. */
export const action: Action = async ([directory]: [string], _options, io) => {
  await stopEverything({ env: io.env }, resolvePaths(io.env).socketPath);
  removeScratch(directory, io.env);
  return 0;
};
