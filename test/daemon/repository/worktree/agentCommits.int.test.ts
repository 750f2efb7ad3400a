import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { diffSince } from '../../../../daemon/repository/worktree/diff.ts';
import { registerWorktree, restoreWorktree } from '../../../../daemon/repository/worktree/restoreWorktree.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

async function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const startCommit = repo.git('rev-parse', 'HEAD');
  const runDir = join(repo.root, 'workspaces', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  await addWorktree({ ...worktree, startCommit });
  const put = (name: string, text: string) => writeFileSync(join(worktree.path, name), text);
  const git = (...args: string[]) => repo.gitIn(worktree.path, ...args);
  /** A commit that the agent makes itself. */
  const commit = (name: string) => {
    put(name, `${name}\n`);
    git('add', '-A');
    git('commit', '-qm', name);
    return git('rev-parse', 'HEAD');
  };
  const work = (since: string, attempt = 1) =>
    commitWork({ worktree, since, subject: 's', trailers: { run: 'run', phase: 'implement', attempt } });
  const holds = (commit: string) => git('merge-base', commit, worktree.branch) === commit;
  const names = () => repo.git('ls-tree', '-r', '--name-only', worktree.branch).split('\n').sort();
  return { repo, runDir, worktree, startCommit, put, git, commit, work, holds, names };
}

/** What an agent may have done with git by the end of its turn; returns its own last commit. */
const WAYS: Record<string, (at: Awaited<ReturnType<typeof given>>) => string> = {
  'on a detached HEAD': ({ git, commit }) => {
    git('checkout', '-q', '--detach');
    return commit('own.txt');
  },
  'on another branch': ({ git, commit }) => {
    git('checkout', '-q', '-b', 'other');
    return commit('own.txt');
  },
  "on devflow's branch": ({ commit }) => commit('own.txt'),
  'after it amended the commit of an earlier phase': ({ git, put }) => {
    put('own.txt', 'own.txt\n');
    git('add', '-A');
    git('commit', '-q', '--amend', '-m', 'amended');
    return git('rev-parse', 'HEAD');
  },
  'after it reset the branch to the base': ({ git, commit, startCommit }) => {
    git('reset', '-q', '--soft', startCommit);
    return commit('own.txt');
  },
  'after it deleted the branch': ({ git, commit, worktree }) => {
    git('checkout', '-q', '--detach');
    git('branch', '-qD', worktree.branch);
    return commit('own.txt');
  },
};

describe('commits that an agent makes itself', () => {
  it.each(Object.keys(WAYS))("are on devflow's branch with the rest of its work: %s", async (way) => {
    const at = await given();
    const { git, put, worktree, work, holds, names, startCommit } = at;
    put('earlier.txt', 'x\n');
    const earlier = (await work(startCommit, 0)).commit as string;
    const own = (WAYS[way] as (typeof WAYS)[string])(at);
    put('loose.txt', 'x\n');
    const made = await work(earlier);

    expect(git('rev-parse', worktree.branch)).toBe(made.commit);
    expect([holds(earlier), holds(own)]).toEqual([true, true]);
    expect(names()).toEqual(['README.md', 'earlier.txt', 'loose.txt', 'own.txt', 'src/a.txt']);
    expect(made).toMatchObject({ files: 2, insertions: 2 });
    expect(git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${worktree.branch}`);
    expect(git('status', '--short')).toBe('');
    expect(await work(earlier)).toEqual(made);
  });

  it('count as work of the phase if nothing else is left to commit', async () => {
    const { commit, work, startCommit, worktree } = await given();
    const own = commit('own.txt');
    const made = await work(startCommit);
    expect(made).toMatchObject({ commit: expect.not.stringMatching(own), files: 1, insertions: 1 });
    expect((await diffSince(worktree, { from: startCommit, to: made.commit as string })).patch).toContain('+own.txt');
    expect(await work(startCommit)).toEqual(made);
    expect((await work(made.commit as string, 2)).commit).toBeNull();
  });

  it('may have a directory in place of a file', async () => {
    const { git, put, commit, worktree, work, names, startCommit } = await given();
    git('checkout', '-q', '--detach');
    rmSync(join(worktree.path, 'README.md'));
    mkdirSync(join(worktree.path, 'README.md'));
    commit('README.md/in.txt');
    put('loose.txt', 'x\n');
    const made = await work(startCommit);
    expect(git('rev-parse', worktree.branch)).toBe(made.commit);
    expect(names()).toEqual(['README.md/in.txt', 'loose.txt', 'src/a.txt']);
  });

  it('do not move a branch of the user that the devflow branch refers to', async () => {
    const { repo, worktree, git, put, work, startCommit } = await given();
    git('checkout', '-q', '--detach');
    git('symbolic-ref', `refs/heads/${worktree.branch}`, 'refs/heads/main');
    put('made.txt', 'x\n');
    const { commit } = await work(startCommit);
    expect(repo.git('rev-parse', 'main')).toBe(startCommit);
    expect(git('rev-parse', worktree.branch)).toBe(commit);
  });

  it('continues after a crash between the commit and the return to the branch', async () => {
    const { git, worktree, commit, work, startCommit } = await given();
    git('checkout', '-q', '--detach');
    commit('own.txt');
    const made = await work(startCommit);
    git('checkout', '-q', '--detach', 'HEAD~1');
    expect(await work(startCommit)).toEqual(made);
    expect(git('symbolic-ref', 'HEAD')).toBe(`refs/heads/${worktree.branch}`);
  });
});

describe('cleanup', () => {
  it('creates refs for commits that no branch contains', async () => {
    const { repo, git, commit, worktree, runDir } = await given();
    git('checkout', '-q', '--detach');
    const left = commit('left.txt');
    git('checkout', '-q', worktree.branch);
    git('checkout', '-q', '-b', 'short-lived');
    const deleted = commit('deleted.txt');
    git('checkout', '-q', worktree.branch);
    git('branch', '-qD', 'short-lived');
    const { keptRefs } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main' });
    const kept = [left, deleted].map((oid) => `refs/devflow/kept/${worktree.branch}/${oid}`).sort();
    expect([...(keptRefs as string[])].sort()).toEqual(kept);
    expect(repo.git('for-each-ref', '--format=%(refname)', 'refs/devflow').split('\n')).toEqual(kept);
    expect(existsSync(worktree.path)).toBe(false);
  });
});

describe('a repository around the workspace', () => {
  it.each(['the worktree', 'its .git', "git's entry of it"])('is not touched when %s is gone', async (what) => {
    const { repo, worktree, put, work, startCommit } = await given();
    repo.gitIn(repo.root, 'init', '-q');
    repo.gitIn(repo.root, '-c', 'user.name=x', '-c', 'user.email=x', 'commit', '-q', '--allow-empty', '-m', 'outer');
    const outer = () => [repo.gitIn(repo.root, 'rev-parse', 'HEAD'), existsSync(join(repo.root, '.git/index'))];
    const before = outer();
    put('made.txt', 'x\n');
    const entry = dirname(readFileSync(join(worktree.path, '.git'), 'utf8').replace('gitdir: ', '').trim());
    if (what === 'the worktree') rmSync(worktree.path, { recursive: true });
    if (what === 'its .git') rmSync(join(worktree.path, '.git'));
    if (what === "git's entry of it") rmSync(entry, { recursive: true });
    if (what === 'its .git') expect(await work(startCommit)).toMatchObject({ files: 1 });
    else await expect(work(startCommit)).rejects.toMatchObject({ code: 'git_failed' });
    expect(outer()).toEqual(before);
  });

  it('is not touched when the .git file points to it', async () => {
    const { repo, worktree, put, work, startCommit, names } = await given();
    repo.gitIn(repo.root, 'init', '-q');
    writeFileSync(join(worktree.path, '.git'), `gitdir: ${join(repo.root, '.git')}\n`);
    put('made.txt', 'x\n');
    expect(await work(startCommit)).toMatchObject({ files: 1 });
    expect(names()).toContain('made.txt');
    expect(readdirSync(join(repo.root, '.git/objects')).sort()).toEqual(['info', 'pack']);
  });
});

describe('a missing worktree', () => {
  it('is restored with the commits of its branch, without hooks', async () => {
    const { repo, worktree, put, work, startCommit } = await given();
    put('made.txt', 'x\n');
    await work(startCommit);
    rmSync(worktree.path, { recursive: true });
    mkdirSync(join(repo.dir, '.git/hooks'), { recursive: true });
    writeFileSync(join(repo.dir, '.git/hooks/post-checkout'), `#!/bin/sh\ntouch ${repo.root}/hooked\n`, {
      mode: 0o755,
    });
    expect(await restoreWorktree({ ...worktree, startCommit })).toBe(true);
    expect(await restoreWorktree({ ...worktree, startCommit })).toBe(false);
    expect(readFileSync(join(worktree.path, 'made.txt'), 'utf8')).toBe('x\n');
    expect(existsSync(join(repo.root, 'hooked'))).toBe(false);
    expect((await work(startCommit)).files).toBe(1);
  });

  it('keeps its files if only git lost its entry', async () => {
    const { repo, worktree, put, work, startCommit, names } = await given();
    put('made.txt', 'x\n');
    rmSync(join(repo.dir, '.git/worktrees'), { recursive: true });
    await registerWorktree({ ...worktree, startCommit });
    expect(await work(startCommit)).toMatchObject({ files: 1 });
    expect(names()).toContain('made.txt');
    expect(repo.gitIn(worktree.path, 'status', '--short')).toBe('');
    expect(readdirSync(dirname(worktree.path))).toEqual(['main']);
  });
});

describe('a diff under decision', () => {
  it.each(['* -diff\n', '* binary\n', '*.txt diff=hide\n', '* -text -diff\n'])(
    'shows code whatever attributes an agent brings: %j',
    async (attributes) => {
      const { repo, worktree, put, work, startCommit } = await given();
      put('.gitattributes', attributes);
      mkdirSync(join(worktree.path, 'deep'));
      put('deep/.gitattributes', attributes);
      put('deep/code.txt', 'evil();\n');
      mkdirSync(join(repo.dir, '.git/info'), { recursive: true });
      writeFileSync(join(repo.dir, '.git/info/attributes'), attributes);
      repo.git('config', 'diff.hide.binary', 'true');
      const made = await work(startCommit);
      const { files, patch } = await diffSince(worktree, { from: startCommit, to: made.commit as string });
      expect(files).toContainEqual({ path: 'deep/code.txt', insertions: 1, deletions: 0 });
      expect(patch).toContain('+evil();');
      expect(patch).not.toContain('Binary files');
      expect(made.insertions).toBe(3);
    },
  );

  it('shows code of a file that the agent replaced by another object', async () => {
    const { repo, worktree, put, work, startCommit } = await given();
    put('code.txt', 'evil();\n');
    const made = await work(startCommit);
    put('other.txt', 'good();\n');
    repo.git(
      'replace',
      repo.git('rev-parse', `${made.commit}:code.txt`),
      repo.gitIn(worktree.path, 'hash-object', '-w', 'other.txt'),
    );
    const { patch } = await diffSince(worktree, { from: startCommit, to: made.commit as string });
    expect(repo.git('show', `${made.commit}:code.txt`)).toBe('good();');
    expect(patch).toContain('+evil();');
  });
});
