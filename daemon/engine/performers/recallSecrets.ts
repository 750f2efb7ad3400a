import type { Logger } from 'pino';
import { placeOf } from '../../core/run/lanes.ts';
import type { Run } from '../../core/run/state.ts';
import { openPrivateGit } from '../../repository/privateGit/privateGit.ts';
import { knowSecrets } from '../../sessions/transcript/knownSecrets.ts';
import { readSecrets } from '../../setup/readSecrets.ts';

/** Reads again which secrets the worktrees of these runs got, so that they stay masked. */
export async function recallSecrets(runs: readonly Run[], log: Pick<Logger, 'warn'>): Promise<void> {
  for (const run of runs) {
    for (const { id, path, setup } of run.lanes) {
      if (!setup || setup.placed.length === 0) continue;
      try {
        const privateGit = await openPrivateGit(placeOf(run, id));
        knowSecrets(privateGit.path, await readSecrets(privateGit));
      } catch (err) {
        log.warn({ err, runId: run.id, worktree: path }, 'the secrets of a worktree could not be read');
      }
    }
  }
}
