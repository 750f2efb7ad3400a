import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGit, type Git } from '../../../../daemon/repository/git/git.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { checkoutDetached, removeDetachedWorktree } from '../../../../daemon/repository/worktree/detachedWorktree.ts';
import { diffSince } from '../../../../daemon/repository/worktree/diff.ts';
import { readWorktree } from '../../../../daemon/repository/worktree/readWorktree.ts';
import { registerWorktree, restoreWorktree } from '../../../../daemon/repository/worktree/restoreWorktree.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { type ScratchRepo, scratchRepo } from '../../../helpers/repo.ts';

function given(prepare?: (repo: ScratchRepo) => void) {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  prepare?.(repo);
  const startCommit = repo.git('rev-parse', 'HEAD');
  const runDir = join(repo.root, 'workspaces', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main', startCommit };
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = () => commitWork({ worktree, subject: 'devflow: implement', since: startCommit, trailers });
  const put = (name: string, text: string) => writeFileSync(join(worktree.path, name), text);
  const changed = () => repo.git('diff', '--name-status', startCommit, worktree.branch).split('\n');
  /** As version 1 made it: by git alone, with the person's configuration. */
  const addByVersion1 = () => {
    mkdirSync(runDir, { recursive: true });
    repo.git('worktree', 'add', '-q', '--no-track', '-b', worktree.branch, worktree.path, startCommit);
  };
  return { repo, runDir, worktree, work, put, changed, addByVersion1 };
}

function sparse(repo: ScratchRepo) {
  repo.commit({ 'in/x.txt': 'x', 'out/y.txt': 'y' });
  repo.git('sparse-checkout', 'set', '--cone', 'in');
}

/** Ends like a killed daemon before the first call that begins with these words. */
function killedAt(...words: string[]): Git {
  const git = createGit();
  const isIt = (args: readonly string[]) => words.every((word, i) => args[i] === word);
  return {
    ...git,
    run: async (cwd, args, options) => {
      if (isIt(args)) throw new Error('killed');
      return git.run(cwd, args, options);
    },
  };
}

describe('a worktree that version 1 made', () => {
  it('continues with a changed index and uncommitted files', async () => {
    const { repo, worktree, work, put, changed, addByVersion1 } = given();
    addByVersion1();
    put('staged.txt', 'staged');
    repo.gitIn(worktree.path, 'add', 'staged.txt');
    put('staged.txt', 'newer');
    repo.gitIn(worktree.path, 'rm', '-q', 'README.md');
    put('new.txt', 'new');
    expect(await work()).toMatchObject({ files: 3 });
    expect(changed()).toEqual(['D\tREADME.md', 'A\tnew.txt', 'A\tstaged.txt']);
    expect(repo.git('show', `${worktree.branch}:staged.txt`)).toBe('newer');
    expect(repo.gitIn(worktree.path, 'status', '--short')).toBe('');
  });

  it('keeps the files that a sparse checkout leaves out', async () => {
    const { work, put, changed, addByVersion1 } = given(sparse);
    addByVersion1();
    put('in/new.txt', 'new');
    expect(await work()).toMatchObject({ files: 1 });
    expect(changed()).toEqual(['A\tin/new.txt']);
  });

  it("commits files by the person's filters, as they were checked out", async () => {
    const { repo, worktree, work, put, changed, addByVersion1 } = given((repo) => {
      repo.git('config', '--global', 'filter.mine.clean', 'sed s/plain/clean/');
      repo.git('config', '--global', 'filter.mine.smudge', 'sed s/clean/plain/');
      repo.commit({ '.gitattributes': '*.bin filter=mine\n', 'old.bin': 'plain\n' });
    });
    addByVersion1();
    put('new.bin', 'plain\n');
    expect(await work()).toMatchObject({ files: 1 });
    expect(changed()).toEqual(['A\tnew.bin']);
    expect(repo.git('show', `${worktree.branch}:new.bin`)).toBe('clean');
  });
});

describe('a worktree whose entry git lost', () => {
  it('keeps the files that a sparse checkout leaves out', async () => {
    const { repo, worktree, put } = given(sparse);
    await addWorktree(worktree);
    put('in/new.txt', 'new');
    rmSync(join(repo.dir, '.git/worktrees'), { recursive: true });
    await registerWorktree(worktree);
    expect(await uncommittedFiles(worktree)).toEqual(['in/new.txt']);
  });

  it.each([
    ['worktree', 'add'],
    ['read-tree', '--reset'],
    ['worktree', 'unlock'],
  ])(
    'has its files in place when devflow is killed before git %s %s, and is registered afterwards',
    async (...words) => {
      const { repo, worktree, put, work, changed } = given();
      await addWorktree(worktree);
      put('new.txt', 'new');
      rmSync(join(repo.dir, '.git/worktrees'), { recursive: true });
      await expect(registerWorktree(worktree, killedAt(...words))).rejects.toThrow('killed');
      expect(readdirSync(worktree.path).sort()).toEqual(['.devflow', '.git', 'README.md', 'new.txt', 'src']);
      await expect(work()).rejects.toMatchObject({ code: 'git_failed' });
      await registerWorktree(worktree);
      await work();
      expect(changed()).toEqual(['A\tnew.txt']);
      expect(readdirSync(dirname(worktree.path))).toEqual(['main']);
      expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
    },
  );
});

it.each(['the worktree', "git's entry of it"])(
  'the work can be looked at when %s is gone, whatever attributes hide it',
  async (what) => {
    const { repo, worktree, put, work } = given();
    await addWorktree(worktree);
    put('.gitattributes', '* -diff\n');
    put('code.txt', 'evil();\n');
    await work();
    mkdirSync(join(repo.dir, '.git/info'), { recursive: true });
    writeFileSync(join(repo.dir, '.git/info/attributes'), '* -diff\n');
    rmSync(what === 'the worktree' ? worktree.path : join(repo.dir, '.git/worktrees'), { recursive: true });
    expect((await diffSince(worktree, { from: worktree.startCommit })).patch).toContain('+evil();');
  },
);

describe('a restored worktree', () => {
  it.each([
    ['worktree', 'add'],
    ['read-tree', '-m'],
    ['worktree', 'unlock'],
  ])('is there whole or not at all when devflow is killed before git %s %s', async (...words) => {
    const { repo, worktree, work } = given();
    await addWorktree(worktree);
    rmSync(worktree.path, { recursive: true });
    await expect(restoreWorktree(worktree, killedAt(...words))).rejects.toThrow('killed');
    expect(existsSync(worktree.path)).toBe(false);
    expect(await restoreWorktree(worktree)).toBe(true);
    expect(readFileSync(join(worktree.path, 'README.md'), 'utf8')).toBe('# A project\n');
    expect(await work()).toMatchObject({ commit: null });
    expect(readdirSync(dirname(worktree.path))).toEqual(['main']);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
  });
});

describe('a worktree that was half made when devflow was killed', () => {
  const halfMade = async () => {
    const at = given();
    await expect(addWorktree(at.worktree, killedAt('read-tree', '-m'))).rejects.toThrow('killed');
    expect(readdirSync(at.runDir)).toEqual(['.adding']);
    return at;
  };

  it('is made again, and nothing stays of it when devflow is killed again while it is cleared away', async () => {
    const { runDir, worktree, repo } = await halfMade();
    for (const words of [
      ['worktree', 'unlock'],
      ['worktree', 'remove'],
      ['worktree', 'add'],
    ]) {
      await expect(addWorktree(worktree, killedAt(...words))).rejects.toThrow('killed');
    }
    await addWorktree(worktree);
    expect(readdirSync(runDir)).toEqual(['main']);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(2);
  });

  it('leaves nothing when it was complete, and only its place was left', async () => {
    const { runDir, worktree } = given();
    await addWorktree(worktree);
    mkdirSync(join(runDir, '.adding'));
    expect(await addWorktree(worktree)).toMatchObject({ adopted: true });
    expect(readdirSync(runDir)).toEqual(['main']);
  });

  it('goes with cleanup when nobody makes it again', async () => {
    const { runDir, worktree, repo } = await halfMade();
    await cleanupWorktree({ ...worktree, runDir, laneId: 'main' });
    expect(readdirSync(runDir)).toEqual([]);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  it('goes with the readers of an ended review', async () => {
    const { runDir, worktree, repo } = given();
    const reader = { repoPath: repo.dir, path: worktree.path };
    const checkedOut = checkoutDetached({ ...reader, commit: worktree.startCommit }, killedAt('read-tree', '-m'));
    await expect(checkedOut).rejects.toThrow('killed');
    await removeDetachedWorktree(reader);
    expect(readdirSync(runDir)).toEqual([]);
    expect(repo.git('worktree', 'list').split('\n')).toHaveLength(1);
  });
});

it('finishes an interrupted commit with its index for the agent', async () => {
  const { repo, worktree, put, work } = given();
  await addWorktree(worktree);
  const index = join(readFileSync(join(worktree.path, '.git'), 'utf8').replace('gitdir: ', '').trim(), 'index');
  const before = readFileSync(index);
  put('new.txt', 'new');
  const first = await work();
  writeFileSync(index, before);
  expect(await work()).toEqual(first);
  expect(repo.gitIn(worktree.path, 'status', '--short')).toBe('');
});

it('names a missing branch and how to restore it, and cleanup continues', async () => {
  const { repo, runDir, worktree, put } = given();
  await addWorktree(worktree);
  put('new.txt', 'new');
  repo.git('update-ref', '-d', `refs/heads/${worktree.branch}`);
  const { repoPath, branch, startCommit: lastKnown } = worktree;
  const read = readWorktree({ repoPath, branch, path: worktree.path, lastKnown });
  await expect(read).rejects.toMatchObject({
    code: 'git_failed',
    recoveryHint: `Restore it, then approve again: git -C ${repoPath} branch ${branch} ${lastKnown}`,
  });
  const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
  expect(readFileSync(join(salvaged as string, 'changes.patch'), 'utf8')).toContain('new.txt');
  expect(existsSync(worktree.path)).toBe(false);
});
