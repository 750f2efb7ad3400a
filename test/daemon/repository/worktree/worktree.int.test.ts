import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listOrphans } from '../../../../daemon/doctor/orphans.ts';
import { createGit } from '../../../../daemon/repository/git/git.ts';
import { withPrivateGit } from '../../../../daemon/repository/privateGit/temporaryGit.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { diffBetween, diffSince } from '../../../../daemon/repository/worktree/diff.ts';
import { removeWorktree } from '../../../../daemon/repository/worktree/removeWorktree.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

function given(options?: Parameters<typeof scratchRepo>[0]) {
  const repo = scratchRepo(options);
  onTestFinished(repo.cleanup);
  const startCommit = repo.git('rev-parse', 'HEAD');
  const runDir = join(repo.root, 'workspaces', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main', startCommit };
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: startCommit, trailers };
  const put = (name: string, text: string) => writeFileSync(join(worktree.path, name), text);
  return { repo, runDir, worktree, work, put };
}

/** Everything of the user's checkout but what git keeps for worktrees, branches and objects. */
function fingerprint(repo: ScratchRepo): string {
  const hash = createHash('sha256');
  const visit = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(dir, entry.name);
      if (entry.name === '.git')
        for (const name of ['index', 'config', 'HEAD']) hash.update(readFileSync(join(path, name)));
      else if (entry.isDirectory()) visit(path);
      else hash.update(path).update(readFileSync(path));
    }
  };
  visit(repo.dir);
  return hash
    .update(
      readdirSync(join(repo.dir, '.git'))
        .filter((name) => name.startsWith('config'))
        .join(),
    )
    .digest('hex');
}

describe('addWorktree', () => {
  it("makes the worktree on its branch and does not change the user's checkout", async () => {
    const { repo, worktree, work, put } = given();
    repo.git('config', 'branch.autoSetupMerge', 'always');
    repo.write({ 'README.md': 'half-typed', 'new.txt': 'untracked' });
    mkdirSync(join(repo.dir, '.git/hooks'), { recursive: true });
    for (const hook of ['post-checkout', 'pre-commit', 'commit-msg', 'post-commit']) {
      writeFileSync(join(repo.dir, '.git/hooks', hook), `#!/bin/sh\ntouch ${repo.root}/hooked\nexit 1\n`);
      chmodSync(join(repo.dir, '.git/hooks', hook), 0o755);
    }
    const before = fingerprint(repo);

    expect(await addWorktree(worktree)).toEqual({ path: worktree.path, adopted: false, movedAside: null });
    expect(repo.gitIn(worktree.path, 'symbolic-ref', '--short', 'HEAD')).toBe(worktree.branch);
    expect(readFileSync(join(worktree.path, 'README.md'), 'utf8')).toBe('# A project\n');
    expect(readdirSync(join(worktree.path, '.devflow'))).toEqual(['artifacts']);
    mkdirSync(join(worktree.path, '.devflow/artifacts/inputs'));
    put('.devflow/artifacts/inputs/spec.json', '{}\n');
    expect(await uncommittedFiles(worktree)).toEqual([]);
    put('made.txt', 'x\n');
    expect(await uncommittedFiles(worktree)).not.toEqual([]);
    await commitWork(work);
    await diffSince(worktree, { from: worktree.startCommit });
    await removeWorktree(worktree);

    expect(fingerprint(repo)).toBe(before);
    expect(existsSync(join(repo.root, 'hooked'))).toBe(false);
    expect(repo.git('branch', '--list', worktree.branch)).toContain(worktree.branch);
  });

  it.each([
    ['a directory elsewhere', '.devflow', 'elsewhere'],
    ['a directory of artifacts elsewhere', '.devflow/artifacts', 'elsewhere'],
  ])('writes nothing through a link of the repository to %s', async (_, name, target) => {
    const { repo, worktree } = given();
    mkdirSync(join(repo.root, 'elsewhere'));
    writeFileSync(join(repo.root, 'elsewhere', '.gitignore'), 'mine\n');
    mkdirSync(join(repo.dir, dirname(name)), { recursive: true });
    symlinkSync(join(repo.root, target), join(repo.dir, name));
    repo.git('add', '-Af', '.');
    repo.git('commit', '-qm', 'a link');
    const startCommit = repo.git('rev-parse', 'HEAD');
    await expect(addWorktree({ ...worktree, startCommit })).rejects.toMatchObject({ code: 'path_unsafe' });
    expect(readFileSync(join(repo.root, 'elsewhere', '.gitignore'), 'utf8')).toBe('mine\n');
  });

  it('makes many at once in one repository', async () => {
    const { repo, worktree, runDir } = given();
    const runs = Array.from({ length: 12 }, (_, nth) => ({
      ...worktree,
      path: join(runDir, `worktree${nth}`),
      branch: `devflow/run/worktree${nth}`,
    }));
    const added = await Promise.all(runs.map((each) => addWorktree(each)));
    expect(added.map(({ path }) => path)).toEqual(runs.map(({ path }) => path));
    expect(repo.git('worktree', 'list').trim().split('\n')).toHaveLength(13);
  });

  it('adopts the worktree with the work in it', async () => {
    const { worktree, put } = given();
    await addWorktree(worktree);
    put('draft', 'mine');
    rmSync(join(worktree.path, '.devflow'), { recursive: true });
    expect(await addWorktree(worktree)).toMatchObject({ adopted: true });
    expect(readFileSync(join(worktree.path, 'draft'), 'utf8')).toBe('mine');
    expect(existsSync(join(worktree.path, '.devflow/artifacts/.gitignore'))).toBe(true);
  });

  it('adopts a branch whose worktree is gone, with its commits', async () => {
    const { repo, worktree, work, put } = given();
    await addWorktree(worktree);
    put('made', 'x');
    const { commit } = await commitWork(work);
    rmSync(worktree.path, { recursive: true });
    // The user's own worktree on a disk that is not mounted must stay registered.
    const users = join(repo.root, 'users');
    repo.git('worktree', 'add', '-q', '-b', 'users', users);
    rmSync(users, { recursive: true });

    expect(await addWorktree(worktree)).toMatchObject({ adopted: false });
    expect(repo.gitIn(worktree.path, 'rev-parse', 'HEAD')).toBe(commit);
    expect(repo.git('worktree', 'list')).toContain(users);
  });

  it('uses a branch that was made before a crash', async () => {
    const { repo, worktree } = given();
    repo.git('branch', worktree.branch, worktree.startCommit);
    mkdirSync(worktree.path, { recursive: true });
    expect(await addWorktree(worktree)).toMatchObject({ adopted: false, movedAside: null });
    expect(repo.gitIn(worktree.path, 'symbolic-ref', '--short', 'HEAD')).toBe(worktree.branch);
  });

  it('repeats an add that was killed', async () => {
    const { repo, worktree } = given();
    await addWorktree(worktree);
    const [admin] = readdirSync(join(repo.dir, '.git/worktrees'));
    writeFileSync(join(repo.dir, '.git/worktrees', admin as string, 'locked'), 'initializing');
    rmSync(join(worktree.path, 'README.md'));
    expect(await addWorktree(worktree)).toEqual({ path: worktree.path, adopted: false, movedAside: null });
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(readdirSync(join(worktree.path, '..'))).toEqual(['main']);
  });

  it('moves a directory that is no worktree aside', async () => {
    const { worktree } = given();
    mkdirSync(worktree.path, { recursive: true });
    writeFileSync(join(worktree.path, 'somebody'), 'wrote this');
    const { movedAside } = await addWorktree(worktree);
    expect(readFileSync(join(movedAside as string, 'somebody'), 'utf8')).toBe('wrote this');
  });

  it('refuses a worktree that has something else checked out', async () => {
    const { repo, worktree } = given();
    await addWorktree(worktree);
    repo.gitIn(worktree.path, 'checkout', '-q', '-b', 'elsewhere');
    await expect(addWorktree(worktree)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('elsewhere'),
    });
  });
});

describe('commitWork', () => {
  it('commits everything with trailers, counts it, and finds it again', async () => {
    const { repo, worktree, work, put } = given();
    await addWorktree(worktree);
    put('src/a.txt', 'one\n2\n3\n');
    put('new file', 'x\n');
    rmSync(join(worktree.path, 'README.md'));
    writeFileSync(join(worktree.path, '.devflow/artifacts/artifact.json'), '{}');
    const made = await commitWork({ ...work, body: 'Why:\n# because\n' });
    expect(made).toEqual({
      commit: repo.gitIn(worktree.path, 'rev-parse', 'HEAD'),
      files: 3,
      insertions: 3,
      deletions: 2,
    });
    expect(repo.gitIn(worktree.path, 'log', '-1', '--format=%B')).toBe(
      'devflow: implement\n\nWhy:\n# because\n\nDevflow-Run: run\nDevflow-Phase: implement\nDevflow-Attempt: 1',
    );
    expect(repo.gitIn(worktree.path, 'log', '-1', '--format=%an <%ae>')).toBe('Test <test@localhost>');
    expect(await commitWork(work)).toEqual(made);
    const next = { ...work, since: made.commit as string, trailers: { ...work.trailers, attempt: 2 } };
    expect((await commitWork(next)).commit).toBeNull();
  });

  it('continues after a crash between add and commit', async () => {
    const { repo, worktree, work, put } = given();
    await addWorktree(worktree);
    put('made', 'x');
    repo.gitIn(worktree.path, 'add', '-A');
    expect(await commitWork(work)).toMatchObject({ files: 1 });
  });

  it('commits as devflow without a configured user, unsigned', async () => {
    const { repo, worktree, work, put } = given({ identity: false });
    repo.git('config', 'commit.gpgsign', 'true');
    repo.git('config', 'user.useConfigOnly', 'true');
    const config = readFileSync(join(repo.dir, '.git/config'), 'utf8');
    await addWorktree(worktree);
    put('made', 'x');
    await commitWork(work);
    expect(repo.gitIn(worktree.path, 'log', '-1', '--format=%an <%ae> %cn')).toBe(
      'devflow <devflow@localhost> devflow',
    );
    expect(readFileSync(join(repo.dir, '.git/config'), 'utf8')).toBe(config);
  });
});

describe('diffSince', () => {
  it('shows the commits, whatever diff settings the user has', async () => {
    const { repo, worktree, work, put } = given();
    repo.git('config', 'diff.noprefix', 'true');
    repo.git('config', 'diff.external', '/bin/false');
    repo.git('config', 'color.ui', 'always');
    await addWorktree(worktree);
    put('src/a.txt', 'one\n2\n');
    renameSync(join(worktree.path, 'README.md'), join(worktree.path, 'READ ME.md'));
    await commitWork(work);
    const diff = await diffSince(worktree, { from: worktree.startCommit });
    expect(diff.files).toEqual([
      { path: 'READ ME.md', insertions: 0, deletions: 0 },
      { path: 'src/a.txt', insertions: 1, deletions: 1 },
    ]);
    const { stat, ...rest } = await withPrivateGit(worktree, createGit(), (privateGit) =>
      diffBetween(privateGit, { from: worktree.startCommit }),
    );
    expect(rest).toEqual(diff);
    expect(stat).toContain('2 files changed');
    expect(diff.patch).toContain('--- a/src/a.txt\n+++ b/src/a.txt\n');
    expect(diff.patch.endsWith('+2\n')).toBe(true);
    expect(diff.truncated).toBe(false);
  });

  it('cuts a huge patch at a line and says so', async () => {
    const { worktree, work, put } = given();
    await addWorktree(worktree);
    put('big', 'a line of text\n'.repeat(40_000));
    await commitWork(work);
    const diff = await diffSince(worktree, { from: worktree.startCommit });
    expect(diff.truncated).toBe(true);
    expect(diff.patch.length).toBeLessThanOrEqual(256 * 1024);
    expect(diff.patch.endsWith('+a line of text\n')).toBe(true);
    expect(diff.files).toEqual([{ path: 'big', insertions: 40_000, deletions: 0 }]);
  });
});

describe('cleaning up', () => {
  it('removes a clean worktree, keeps the branch, and can be repeated', async () => {
    const { repo, runDir, worktree } = given();
    await addWorktree(worktree);
    expect(await cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).toEqual({ salvaged: null });
    expect(existsSync(worktree.path)).toBe(false);
    expect(await cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).toEqual({ salvaged: null });
    expect(repo.git('rev-parse', worktree.branch)).toBe(worktree.startCommit);
  });

  it('refuses a dirty one and names the files', async () => {
    const { runDir, worktree, put } = given();
    await addWorktree(worktree);
    put('draft', 'x');
    const refusal = { code: 'worktree_dirty', message: expect.stringContaining('draft') };
    await expect(removeWorktree(worktree)).rejects.toMatchObject(refusal);
    await expect(cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).rejects.toMatchObject(refusal);
    expect(existsSync(join(worktree.path, 'draft'))).toBe(true);
  });

  it('with force keeps a copy that restores everything', async () => {
    const { repo, runDir, worktree, put } = given();
    await addWorktree(worktree);
    put('src/a.txt', Buffer.from([0xff, 0xfe, 0x0a]).toString('latin1'));
    put('staged', 'staged\n');
    repo.gitIn(worktree.path, 'add', 'staged');
    mkdirSync(join(worktree.path, 'deep/er'), { recursive: true });
    put('deep/er/draft', 'x');
    writeFileSync(join(worktree.path, '.devflow/artifacts/notes'), 'n');
    const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
    expect(salvaged).toBe(join(runDir, 'salvage/main-1'));
    expect(existsSync(worktree.path)).toBe(false);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
    expect(readdirSync(runDir)).toEqual(['salvage']);
    expect(readFileSync(join(salvaged as string, 'files/deep/er/draft'), 'utf8')).toBe('x');
    expect(readFileSync(join(salvaged as string, 'files/.devflow/artifacts/notes'), 'utf8')).toBe('n');

    await addWorktree(worktree);
    repo.gitIn(worktree.path, 'apply', join(salvaged as string, 'changes.patch'));
    expect(readFileSync(join(worktree.path, 'staged'), 'utf8')).toBe('staged\n');
    expect(await uncommittedFiles(worktree)).not.toEqual([]);
  });

  it('with force skips a pipe', async () => {
    const { runDir, worktree, put } = given();
    await addWorktree(worktree);
    put('draft', 'x');
    writeFileSync(join(worktree.path, '.devflow/artifacts/notes'), 'n');
    execFileSync('mkfifo', [join(worktree.path, '.devflow/artifacts/pipe')]);
    const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
    expect(existsSync(worktree.path)).toBe(false);
    const kept = readdirSync(join(salvaged as string, 'files/.devflow/artifacts'));
    expect(kept).toContain('notes');
    expect(kept).not.toContain('pipe');
  });

  it('finishes a removal that a crash interrupted', async () => {
    const { repo, runDir, worktree, put } = given();
    await addWorktree(worktree);
    put('draft', 'x');
    renameSync(worktree.path, `${worktree.path}.removing`);
    expect(await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true })).toEqual({ salvaged: null });
    expect(readdirSync(runDir)).toEqual([]);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('lists run directories that belong to no run', async () => {
    const { repo } = given();
    const [known, orphan] = [randomUUID(), randomUUID()];
    const root = join(repo.root, 'ws');
    for (const path of [join(known, 'main'), join(orphan, 'main'), join(orphan, 'lanes', 'lane-1'), 'something'])
      mkdirSync(join(root, path), { recursive: true });
    const entries = ['lanes/lane-1', 'main'];
    expect(await listOrphans(root, [known])).toEqual([{ runId: orphan, path: join(root, orphan), entries }]);
    expect(await listOrphans(join(root, 'none'), [])).toEqual([]);
    expect(existsSync(join(root, orphan, 'main'))).toBe(true);
  });
});
