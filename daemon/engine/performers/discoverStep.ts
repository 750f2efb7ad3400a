import { join } from 'node:path';
import { discover } from '../../harness/discovery/discover.ts';
import { removeLeftovers } from '../../harness/discovery/removeLeftovers.ts';
import type { DoStep } from './step.ts';

/** Reads what the repository says about its own commands, and runs what can be a check. */
export const discoverStep: DoStep = async ({ lane, baseCommit, dir }, _ports, signal) => {
  const scratchDir = join(dir, 'scratch');
  // Of this step, before the daemon was killed.
  await removeLeftovers(scratchDir);
  const facts = await discover({
    repoDir: lane.repoPath,
    scratchDir,
    commit: baseCommit,
    signal,
  });
  return { ok: true, data: facts };
};
