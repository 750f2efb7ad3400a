import type { Logger } from 'pino';
import type { Run } from '../../core/run/state.ts';
import { canonical } from '../../repository/git/repositoryFiles.ts';
import { knowSecrets } from '../../sessions/transcript/knownSecrets.ts';
import { secretsOf } from '../../setup/readSecrets.ts';

/** Reads again which secrets the worktrees of these runs got, so that they stay masked. */
export async function recallSecrets(runs: readonly Run[], log: Pick<Logger, 'warn'>): Promise<void> {
  for (const run of runs) {
    for (const { path, setup } of run.lanes) {
      if (!setup || setup.placed.length === 0) continue;
      try {
        // git may have lost the worktree, and an agent may work in it.
        const place = { path: await canonical(path), repoPath: run.repoPath };
        knowSecrets(place.path, secretsOf(place, setup.placed));
      } catch (err) {
        log.warn({ err, runId: run.id, worktree: path }, 'the secrets of a worktree could not be read');
      }
    }
  }
}
