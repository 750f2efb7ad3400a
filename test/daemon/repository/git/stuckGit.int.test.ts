import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runGit } from '../../../../daemon/repository/git/gitCommand.ts';
import { guardGit } from '../../../../daemon/repository/git/stuckGit.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { diffSince } from '../../../../daemon/repository/worktree/diff.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

async function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const startCommit = repo.commit({ 'kept.txt': 'kept\n', 'sub/kept.txt': 'kept\n' });
  const runDir = join(repo.root, 'workspaces', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...worktree, startCommit });
  const place = (name: string) => join(worktree.path, name);
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: startCommit, trailers };
  return { repo, runDir, worktree, startCommit, place, work };
}

function pipe(path: string): void {
  rmSync(path, { force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

/** A call that runs until it is aborted, as git does on a pipe. */
function endless(signal: AbortSignal): Promise<string> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')));
}

describe('a file that git never finishes reading', () => {
  it.each(['sub/.gitignore', '.gitattributes', '.gitmodules', 'in/.git/HEAD', 'in/.git/commondir'])(
    'hangs no call where a pipe is named %s, and the error says which file to remove',
    async (name) => {
      const { worktree, startCommit, place, work, runDir } = await given();
      writeFileSync(place('new.txt'), 'new\n');
      writeFileSync(place('sub/kept.txt'), 'new\n');
      if (name.startsWith('in/')) execFileSync('git', ['init', '-q', place('in')]);
      pipe(place(name));
      const calls = [
        () => uncommittedFiles(worktree),
        () => diffSince(worktree, { from: startCommit }),
        () => commitWork(work),
        () => cleanupWorktree({ ...worktree, runDir, laneId: 'main' }),
      ];
      for (const call of calls) {
        const failure = await call().then(
          () => undefined,
          (error) => error,
        );
        // git opens only some of the names in each call.
        if (failure === undefined || failure.code === 'worktree_dirty') continue;
        const message = expect.stringContaining(`${place(name)} is a pipe`);
        expect(failure).toMatchObject({
          code: 'path_unsafe',
          message,
          recoveryHint: expect.stringContaining('Remove'),
        });
      }
    },
  );

  it('continues once the file is removed', async () => {
    const { worktree, place } = await given();
    pipe(place('.gitignore'));
    await expect(uncommittedFiles(worktree)).rejects.toMatchObject({ code: 'path_unsafe' });
    rmSync(place('.gitignore'));
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it("is found in the repository's git directory", async () => {
    const { repo } = await given();
    const gitDir = join(repo.dir, '.git');
    pipe(join(gitDir, 'refs/heads/waiting'));
    await expect(runGit(gitDir, ['for-each-ref'], { gitDir, read: true })).rejects.toMatchObject({
      code: 'path_unsafe',
      message: `git for-each-ref hangs: ${gitDir}/refs/heads/waiting is a pipe, not a file.`,
    });
  });

  it('may be a link to a device, or very large', async () => {
    const { place, worktree } = await given();
    const places = { workTree: worktree.path, gitDirs: [] };
    symlinkSync('/dev/zero', place('.gitmodules'));
    expect(await guardGit(places, endless, 1)).toEqual({
      result: 'aborted',
      stuckAt: `${place('.gitmodules')} is a device, not a file`,
    });
    rmSync(place('.gitmodules'));
    writeFileSync(place('sub/.gitignore'), '');
    truncateSync(place('sub/.gitignore'), 2 ** 33);
    expect(await guardGit(places, endless, 1)).toMatchObject({
      stuckAt: `${place('sub/.gitignore')} is larger than 100 MB`,
    });
  });

  it('may appear while git runs', async () => {
    const { place, worktree } = await given();
    const looked = guardGit({ workTree: worktree.path, gitDirs: [] }, endless, 1);
    await uncommittedFiles(worktree);
    pipe(place('sub/.gitignore'));
    expect((await looked).stuckAt).toBe(`${place('sub/.gitignore')} is a pipe, not a file`);
  });
});

describe('what git does not wait for', () => {
  it('does not disturb a slow call', async () => {
    const { repo, place, worktree } = await given();
    pipe(place('talk'));
    pipe(join(repo.root, 'elsewhere/.gitignore'));
    symlinkSync(join(repo.root, 'elsewhere'), place('link'));
    writeFileSync(place('sub/.gitattributes'), '* -text\n');
    await listenAt(place('sub/.gitignore'));
    const slow = async () => {
      for (let n = 0; n < 20; n++) await runGit(worktree.path, ['status', '--short'], { read: true });
      return 'done';
    };
    expect(await guardGit({ workTree: worktree.path, gitDirs: [join(repo.dir, '.git')] }, slow, 1)).toEqual({
      result: 'done',
      stuckAt: undefined,
    });
  });

  it('leaves pipes and sockets out of a commit', async () => {
    const { repo, place, worktree, work } = await given();
    pipe(place('talk'));
    await listenAt(place('sub/socket'));
    writeFileSync(place('new.txt'), 'new\n');
    expect(await commitWork(work)).toMatchObject({ files: 1 });
    expect(repo.git('ls-tree', '-r', '--name-only', worktree.branch).split('\n')).toContain('new.txt');
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it('refuses a commit where one took the place of a tracked file, and names it', async () => {
    const { place, work } = await given();
    pipe(place('sub/kept.txt'));
    await expect(commitWork(work)).rejects.toMatchObject({
      code: 'path_unsafe',
      message: `devflow cannot commit the work: ${place('sub/kept.txt')} is a pipe, not a file.`,
    });
  });
});

async function listenAt(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => void server.close());
}
