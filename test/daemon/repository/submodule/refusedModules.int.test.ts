import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readStartNotes } from '../../../../daemon/repository/checkout/startNotes.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { checkoutDetached } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { diffSince } from '../../../../daemon/repository/worktree/diff.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

const SECTION = '[submodule "a"]\n\tpath = a\n\turl = x\n';

/** What git refuses to read, and dies of. */
const REFUSED = [
  ['an update command', `${SECTION}\tupdate = !touch /tmp/x\n`],
  ['an unknown update', `${SECTION}\tupdate = nonsense\n`],
  ['a wrong fetchRecurseSubmodules', `${SECTION}\tfetchRecurseSubmodules = nonsense\n`],
  ['a wrong shallow', `${SECTION}\tshallow = nonsense\n`],
  ['a wrong ignore', `${SECTION}\tignore = nonsense\n`],
  ['a line that is no setting', '[submodule "a"\n'],
];

/** A repository with a commit whose `.gitmodules` git refuses, and a gitlink `a`. */
function given(text: string) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const before = repo.git('rev-parse', 'HEAD');
  repo.write({ '.gitmodules': text, 'src/b.txt': 'b\n' });
  repo.git('add', '.gitmodules', 'src/b.txt');
  repo.git('update-index', '--add', '--cacheinfo', `160000,${before},a`);
  const commit = repo.git('commit-tree', repo.git('write-tree'), '-p', before, '-m', 'Hostile');
  repo.git('branch', 'hostile', commit);
  return { ...repo, before, commit };
}

it.each(REFUSED)('a commit whose .gitmodules has %s is checked out and reviewed', async (_, text) => {
  const { root, dir, before, commit } = given(text);
  const place = { repoPath: dir, path: join(root, 'run', 'review') };
  for (const [wanted, other] of [
    [commit, before],
    [before, commit],
    [commit, before],
  ] as const) {
    const path = await checkoutDetached({ ...place, commit: wanted, filters: [] });
    const worktree = { ...place, path, branch: 'devflow/none', head: wanted };
    expect(await uncommittedFiles(worktree)).toEqual([]);
    const { patch, files } = await diffSince(worktree, { from: other, to: wanted });
    expect(patch).toContain('Subproject commit');
    expect(files.map((file) => file.path)).toEqual(['.gitmodules', 'a', 'src/b.txt']);
    writeFileSync(join(path, 'untracked.txt'), 'x\n');
    expect(await uncommittedFiles(worktree)).toEqual(['untracked.txt']);
  }
  expect(readFileSync(join(place.path, '.gitmodules'), 'utf8')).toBe(text);
});

it.each(REFUSED)('work on a commit whose .gitmodules has %s is committed and shown', async (_, text) => {
  const { root, dir, commit, git } = given(text);
  const worktree = { repoPath: dir, path: join(root, 'run', 'main'), branch: 'devflow/run/main' };
  await readStartNotes({ repoPath: dir, commit });
  await addWorktree({ ...worktree, startCommit: commit });
  writeFileSync(join(worktree.path, 'made.txt'), 'made\n');
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: commit, trailers };
  const made = await commitWork(work);
  expect(made).toMatchObject({ files: 1 });
  expect(git('diff-tree', '-r', '--name-only', commit, made.commit ?? '')).toBe('made.txt');
  expect(JSON.stringify(await diffSince(worktree, { from: commit }))).toContain('made.txt');
});
