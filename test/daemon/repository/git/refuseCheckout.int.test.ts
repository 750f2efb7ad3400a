import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LanePlace } from '../../../../daemon/core/run/lanes.ts';
import { keepWorktree } from '../../../../daemon/engine/performers/keepWorktree.ts';
import { beginWatch, endWatch } from '../../../../daemon/engine/performers/watchCheckout.ts';
import { openPrivateGit } from '../../../../daemon/repository/privateGit/privateGit.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { commitFiles } from '../../../../daemon/repository/worktree/commitFiles.ts';
import { commitTree } from '../../../../daemon/repository/worktree/commitTree.ts';
import { commitAndList } from '../../../../daemon/repository/worktree/commitWork.ts';
import { checkoutDetached, removeDetachedWorktree } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { leaveOutTaken } from '../../../../daemon/repository/worktree/leaveOutTaken.ts';
import { listWorktree, readWorktree } from '../../../../daemon/repository/worktree/readWorktree.ts';
import { removeWorktree } from '../../../../daemon/repository/worktree/removeWorktree.ts';
import { registerWorktree, restoreWorktree } from '../../../../daemon/repository/worktree/restoreWorktree.ts';
import { salvage } from '../../../../daemon/repository/worktree/salvage.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { bytesOf } from '../../../helpers/bytesOf.ts';
import { scratchRepo } from '../../../helpers/repo.ts';
import { gitPorts } from '../../engine/local/support/performing.ts';

/** A person's checkout with changes of every kind: the repository itself, or a worktree that the person made. */
function given(which: 'the checkout' | 'a worktree of the person') {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const base = repo.git('rev-parse', 'HEAD');
  const path = which === 'the checkout' ? repo.dir : join(repo.root, 'theirs');
  if (path !== repo.dir) repo.git('worktree', 'add', '-q', '-b', 'theirs', path);
  writeFileSync(join(path, 'README.md'), 'changed\n');
  writeFileSync(join(path, 'new.txt'), 'new\n');
  writeFileSync(join(path, 'staged.txt'), 'staged\n');
  repo.gitIn(path, 'add', 'staged.txt');
  symlinkSync('new.txt', join(path, 'link'));
  const place: LanePlace = { repoPath: path, path, branch: '', startCommit: base, head: base, isCheckout: true };
  return { ...repo, path, place, base };
}

const TRAILERS = { run: 'run', phase: 'p', attempt: 1 };

/** Whatever writes into worktrees. */
const WRITERS: Record<string, (place: LanePlace) => Promise<unknown>> = {
  addWorktree: (place) => addWorktree(place),
  restoreWorktree: (place) => restoreWorktree(place),
  registerWorktree: (place) => registerWorktree(place),
  removeWorktree: (place) => removeWorktree(place, async () => ''),
  cleanupWorktree: (place) => cleanupWorktree({ ...place, runDir: `${place.path}/run`, laneId: 'main', force: true }),
  salvage: (place) => salvage({ ...place, runDir: `${place.path}/run`, laneId: 'main' }),
  checkoutDetached: (place) => checkoutDetached({ ...place, commit: place.startCommit }),
  removeDetachedWorktree: (place) => removeDetachedWorktree(place),
  openPrivateGit: (place) => openPrivateGit(place),
  listWorktree: (place) => listWorktree(place),
  readWorktree: (place) => readWorktree(place),
  uncommittedFiles: (place) => uncommittedFiles(place),
  commitWork: (worktree) => commitAndList({ worktree, since: worktree.startCommit, subject: 's', trailers: TRAILERS }),
  commitFiles: (worktree) =>
    commitFiles({ worktree, since: worktree.startCommit, subject: 's', trailers: TRAILERS, paths: ['new.txt'] }),
  commitTree: (worktree) =>
    commitTree({ worktree, since: worktree.startCommit, subject: 's', trailers: TRAILERS, like: worktree.startCommit }),
  leaveOutTaken: (place) => leaveOutTaken(place, place.startCommit, { subject: 's', trailers: TRAILERS }),
};

describe.each(['the checkout', 'a worktree of the person'] as const)('%s', (which) => {
  it('stays byte for byte as it is, whatever writes into worktrees', async () => {
    const { root, place } = given(which);
    const before = bytesOf(root);
    for (const [name, write] of Object.entries(WRITERS)) {
      const failure = await write(place).then(
        () => 'it was done',
        (error: { code?: string }) => error.code,
      );
      expect(failure, name).toBe('internal');
      expect(bytesOf(root), name).toEqual(before);
    }
  });

  it('is watched by nobody, and is not made again once it is gone', async () => {
    const { root, path, place } = given(which);
    const before = bytesOf(root);
    await beginWatch(place);
    expect(await endWatch(place, 'key')).toBeUndefined();
    expect(await keepWorktree('run', place, gitPorts)).toBe(false);
    expect(bytesOf(root)).toEqual(before);
    rmSync(path, { recursive: true });
    const left = bytesOf(root);
    await expect(keepWorktree('run', place, gitPorts)).rejects.toMatchObject({ code: 'repo_invalid' });
    expect(bytesOf(root)).toEqual(left);
  });
});
