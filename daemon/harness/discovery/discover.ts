import { mkdir, mkdtemp, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { RANKS, type RepoFacts } from '../../../schemas/repoFacts.ts';
import { startOrAdopt } from '../command/runner.ts';
import { createGit, type Git } from '../git/git.ts';
import { commonDirectory } from '../git/repositoryFiles.ts';
import { checkPolicy } from '../policy/policy.ts';
import { withTemporaryGit } from '../privateGit/temporaryGit.ts';
import { NO_BRANCH } from '../worktree/detachedWorktree.ts';
import { readCommitFiles } from './commitFiles.ts';
import { notRun, type Probing, probeFacts } from './probe.ts';
import { readFacts } from './readFacts.ts';
import { COMMANDS } from './removeLeftovers.ts';
import { makeCheckout, removeCheckout } from './scratchCheckout.ts';

export interface Discover extends Partial<Omit<Probing, 'signal'>> {
  repoDir: string;
  /** A directory of devflow, for a checkout that is removed at the end. */
  scratchDir: string;
  /** Full object id. Default: the commit that is checked out. */
  commit?: string;
  /** False only reads. Default: true. */
  probes?: boolean;
  /** Aborted, discover ends the command that runs, removes the checkout and rejects with the signal's reason. */
  signal?: AbortSignal;
}

const PROBE_MS = 120_000;
const TOTAL_MS = 600_000;

/**
 * What a repository says about its own commands, and what they do at the base commit. It changes nothing in the repository.
 * Throws repo_invalid or git_failed; faults of files are in `uncovered`.
 */
export async function discover(input: Discover, git: Git = createGit()): Promise<RepoFacts> {
  const { probes = true, signal = new AbortController().signal } = input;
  signal.throwIfAborted();
  const { repoPath } = await git.inspectRepository(input.repoDir);
  const commit = await git.read(repoPath, ['rev-parse', '--verify', `${input.commit ?? 'HEAD'}^{commit}`]);
  await mkdir(input.scratchDir, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(await realpath(input.scratchDir), 'discover-'));
  const path = join(scratch, 'checkout');
  const dir = join(scratch, COMMANDS);
  try {
    await mkdir(path, { mode: 0o700 });
    const place = { repoPath, path, branch: NO_BRANCH, head: commit };
    return await withTemporaryGit(place, await commonDirectory(repoPath), git, async (privateGit) => {
      const files = await readCommitFiles(privateGit, commit);
      const { facts: ranked, ...read } = readFacts(files.paths, files.texts, files.uncovered);
      signal.throwIfAborted();
      if (!probes)
        return composed(
          commit,
          read,
          ranked.map((fact) => ({ ...fact, probe: notRun('only read') })),
        );
      await makeCheckout(privateGit, commit);
      const probing: Probing = {
        policy: input.policy ?? checkPolicy,
        runCommand: input.runCommand ?? startOrAdopt,
        signal,
        probeMs: input.probeMs ?? PROBE_MS,
        totalMs: input.totalMs ?? TOTAL_MS,
        allowInstall: input.allowInstall ?? false,
      };
      return composed(commit, read, await probeFacts(ranked, privateGit, dir, probing));
    });
  } finally {
    await removeCheckout(scratch);
  }
}

/** A script that only prints is no suite, so it is not known to be red. A document may be out of date. */
function composed(
  commit: string,
  read: Pick<RepoFacts, 'languages' | 'workspaces' | 'uncovered'>,
  facts: RepoFacts['facts'],
): RepoFacts {
  const red = facts.filter(({ rank, probe }) => rank < RANKS.doc && probe.class === 'red_at_base');
  return { facts, knownRed: red.map(({ id }) => id), ...read, base: { commit } };
}
