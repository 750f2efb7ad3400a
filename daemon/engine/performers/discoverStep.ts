import { join } from 'node:path';
import type { RepoFacts } from '../../../schemas/repoFacts.ts';
import { discover } from '../../harness/discovery/discover.ts';
import { removeLeftovers } from '../../harness/discovery/removeLeftovers.ts';
import type { DoStep } from './step.ts';
import { workingBackends } from './workingBackends.ts';

/** Reads what the repository says about its own commands, and runs what can be a check. */
export const discoverStep: DoStep = async ({ lane, baseCommit, dir }, { lintKnowledge }, signal) => {
  const scratchDir = join(dir, 'scratch');
  // Of this step, before the daemon was killed.
  await removeLeftovers(scratchDir);
  const facts = await discover({
    repoDir: lane.repoPath,
    scratchDir,
    commit: baseCommit,
    signal,
  });
  const data: RepoFacts = { ...facts, backends: workingBackends(lintKnowledge()) };
  return { ok: true, data };
};
