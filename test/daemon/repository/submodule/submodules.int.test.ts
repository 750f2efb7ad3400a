import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readStartNotes } from '../../../../daemon/repository/checkout/startNotes.ts';
import { addWorktree } from '../../../../daemon/repository/worktree/addWorktree.ts';
import { cleanupWorktree } from '../../../../daemon/repository/worktree/cleanupWorktree.ts';
import { readWorktree } from '../../../../daemon/repository/worktree/readWorktree.ts';
import { registerWorktree } from '../../../../daemon/repository/worktree/restoreWorktree.ts';
import { uncommittedFiles } from '../../../../daemon/repository/worktree/worktreeStatus.ts';
import { commitWork } from '../../../helpers/commitWork.ts';
import { scratchRepo } from '../../../helpers/repo.ts';

/** A repository with the submodule `libs/outer`, which has one at `deep/inner`; both are cloned. */
function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  const { root, git, gitIn } = repo;
  appendFileSync(join(root, 'home', '.gitconfig'), '[user]\n\tname = Test\n\temail = test@localhost\n');
  const allow = ['-c', 'protocol.file.allow=always'];
  const make = (name: string) => {
    const dir = join(root, name);
    mkdirSync(dir);
    gitIn(dir, 'init', '-q');
    writeFileSync(join(dir, `${name}.txt`), `${name}\n`);
    gitIn(dir, 'add', '-A');
    gitIn(dir, 'commit', '-qm', name);
    return dir;
  };
  const [inner, outer] = [make('inner'), make('outer')];
  gitIn(outer, ...allow, 'submodule', '--quiet', 'add', inner, 'deep/inner');
  gitIn(outer, 'commit', '-qm', 'Inner');
  git(...allow, 'submodule', '--quiet', 'add', outer, 'libs/outer');
  git(...allow, 'submodule', '--quiet', 'update', '--init', '--recursive');
  git('commit', '-qm', 'Outer');
  const startCommit = git('rev-parse', 'HEAD');
  const runDir = join(root, 'ws', 'run');
  const worktree = { repoPath: repo.dir, path: join(runDir, 'main'), branch: 'devflow/run/main' };
  const trailers = { run: 'run', phase: 'implement', attempt: 1 };
  const work = { worktree, subject: 'devflow: implement', since: startCommit, trailers };
  const notes = (baseCommit = git('rev-parse', 'HEAD')) => readStartNotes({ repoPath: repo.dir, commit: baseCommit });
  return { ...repo, worktree, runDir, startCommit, work, notes, outer, inner };
}

const OUTER = 'libs/outer';
const INNER = 'libs/outer/deep/inner';

describe('submodules that the person has cloned', () => {
  it('have their files in the worktree, and git works in them as in a clone', async () => {
    const { worktree, startCommit, gitIn, work, dir } = given();
    await addWorktree({ ...worktree, startCommit });
    const at = (path: string) => join(worktree.path, path);
    expect(readFileSync(at(`${OUTER}/outer.txt`), 'utf8')).toBe('outer\n');
    expect(readFileSync(at(`${INNER}/inner.txt`), 'utf8')).toBe('inner\n');
    for (const path of [OUTER, INNER]) {
      expect(gitIn(at(path), 'status', '--porcelain')).toBe('');
      expect(gitIn(at(path), 'rev-parse', 'HEAD')).toBe(gitIn(join(dir, path), 'rev-parse', 'HEAD'));
      expect(gitIn(at(path), 'rev-parse', '--show-toplevel')).toBe(at(path));
    }
    expect(gitIn(worktree.path, 'status', '--porcelain')).toBe('');
    expect(gitIn(worktree.path, 'submodule', 'status', '--recursive')).toMatch(
      /^[0-9a-f]+ libs\/outer.*\n [0-9a-f]+ libs/,
    );
    expect(await uncommittedFiles(worktree)).toEqual([]);
    expect(await commitWork(work)).toEqual({ commit: null, files: 0, insertions: 0, deletions: 0 });
    const { uncommitted } = await readWorktree(worktree);
    expect(uncommitted).toBeNull();
  });

  it('are removed with the worktree, and the clones do not change', async () => {
    const { worktree, startCommit, runDir, dir, gitIn } = given();
    await addWorktree({ ...worktree, startCommit });
    expect(await cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).toEqual({ salvaged: null });
    expect(existsSync(worktree.path)).toBe(false);
    expect(gitIn(dir, 'worktree', 'list').split('\n')).toHaveLength(1);
    expect(gitIn(join(dir, INNER), 'status', '--porcelain')).toBe('');
    gitIn(dir, 'fsck', '--strict');
    gitIn(join(dir, OUTER), 'fsck', '--strict');
  });

  it.each([
    ['a changed file', (path: string) => writeFileSync(join(path, 'made.txt'), 'x')],
    [
      'a commit',
      (path: string, git: (...args: string[]) => string) => {
        writeFileSync(join(path, 'made.txt'), 'x');
        git('add', '-A');
        git('-c', 'user.name=a', '-c', 'user.email=a', 'commit', '-qm', 'made');
      },
    ],
    ['a branch', (_: string, git: (...args: string[]) => string) => git('branch', 'idea')],
  ])('with %s of an agent are asked about and copied before cleanup', async (_, change) => {
    const { worktree, startCommit, runDir, work, gitIn } = given();
    await addWorktree({ ...worktree, startCommit });
    const inner = join(worktree.path, INNER);
    change(inner, (...args) => gitIn(inner, ...args));
    expect(await uncommittedFiles(worktree)).toEqual([`${OUTER}/`]);
    expect(await commitWork(work)).toMatchObject({ commit: null, nestedRepositories: [OUTER] });
    const head = gitIn(inner, 'log', '-1', '--format=%H %s', '--all');
    await expect(cleanupWorktree({ ...worktree, runDir, laneId: 'main' })).rejects.toMatchObject({
      code: 'worktree_dirty',
    });
    const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
    const copy = join(salvaged ?? '', 'files', OUTER);
    expect(existsSync(join(copy, '.git'))).toBe(false);
    expect(gitIn(copy, `--git-dir=${copy}/dot-git/modules/deep/inner`, 'log', '-1', '--format=%H %s', '--all')).toBe(
      head,
    );
  });

  it.each(['libs', OUTER])('are not read through a link that an agent put in their place: %s', async (place) => {
    const { worktree, runDir, startCommit, root } = given();
    await addWorktree({ ...worktree, startCommit });
    const outside = join(root, 'outside');
    const target = join(outside, 'outer');
    mkdirSync(join(target, '.git'), { recursive: true });
    writeFileSync(join(target, 'secret'), 'x');
    rmSync(join(worktree.path, place), { recursive: true });
    const link = place === 'libs' ? outside : target;
    symlinkSync(link, join(worktree.path, place));
    expect(await uncommittedFiles(worktree)).toEqual([place === 'libs' ? 'libs' : `${OUTER}/`]);
    const { salvaged } = await cleanupWorktree({ ...worktree, runDir, laneId: 'main', force: true });
    expect(readdirSync(target)).toEqual(['.git', 'secret']);
    expect(readlinkSync(join(salvaged ?? '', 'files', place))).toBe(link);
  });

  it("are found again after git lost the worktree's entry", async () => {
    const { worktree, startCommit, dir } = given();
    await addWorktree({ ...worktree, startCommit });
    rmSync(join(dir, '.git', 'worktrees'), { recursive: true });
    await registerWorktree({ ...worktree, startCommit });
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });
});

describe('submodules that cannot be filled', () => {
  it('stay empty if the clone or its commit is missing, and are named with what to do', async () => {
    const { worktree, dir, notes, git, gitIn, outer } = given();
    expect(await notes()).toEqual({
      uncommitted: { count: 0, files: [] },
      submodules: [
        { path: OUTER, reason: null },
        { path: INNER, reason: null },
      ],
      warnings: [],
    });
    rmSync(join(dir, '.git/modules/libs/outer/modules'), { recursive: true });
    const warning = `1 submodule is empty in the run: ${INNER} (it is not cloned). If the run needs them, first run git submodule update --init`;
    expect((await notes()).warnings).toEqual([expect.stringContaining(warning)]);
    const newer = gitIn(outer, 'commit-tree', '-m', 'newer', 'HEAD^{tree}');
    git('update-index', '--cacheinfo', `160000,${newer},${OUTER}`);
    git('commit', '-qm', 'Newer');
    expect((await notes()).submodules).toEqual([
      { path: OUTER, reason: `its clone lacks the commit ${newer.slice(0, 12)}` },
    ]);
    await addWorktree({ ...worktree, startCommit: git('rev-parse', 'HEAD') });
    expect(existsSync(join(worktree.path, OUTER, 'outer.txt'))).toBe(false);
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it.each([
    ['a name that leads out', '[submodule "../../../../evil"]\n\tpath = libs/outer\n\turl = x\n', 'name'],
    ['a name with a dash', '[submodule "-evil"]\n\tpath = libs/outer\n\turl = x\n', 'name'],
    ['a path that leads out', '[submodule "libs/outer"]\n\tpath = ../out\n\turl = x\n', 'path'],
    ['a path in .git', '[submodule "libs/outer"]\n\tpath = .GIT/hooks\n\turl = x\n', 'path'],
    ['a path that is a pattern', '[submodule "libs/outer"]\n\tpath = ":(top)libs"\n\turl = x\n', 'path'],
    ['a URL that is an option', '[submodule "libs/outer"]\n\tpath = libs/outer\n\turl = -u./x\n', 'URL'],
    ['a URL that is a program', '[submodule "libs/outer"]\n\tpath = libs/outer\n\turl = ext::sh -c x\n', 'URL'],
  ])('are refused with %s', async (_, text, what) => {
    const { worktree, write, git, notes } = given();
    write({ '.gitmodules': text });
    git('add', '.gitmodules');
    git('commit', '-qm', 'Hostile');
    const { submodules, warnings } = await notes();
    expect(submodules).toMatchObject([{ reason: `devflow refuses its ${what} in .gitmodules` }]);
    expect(warnings).toEqual([expect.stringMatching(/^1 submodule is empty in the run: [^\n]+\)\.$/)]);
    await addWorktree({ ...worktree, startCommit: git('rev-parse', 'HEAD') });
    expect(existsSync(join(worktree.path, OUTER, 'outer.txt'))).toBe(false);
  });

  it('stay empty if a partial clone lacks a file', async () => {
    const { worktree, dir, startCommit, gitIn } = given();
    const clone = join(dir, '.git/modules/libs/outer');
    const blob = gitIn(clone, 'rev-parse', 'HEAD:outer.txt');
    rmSync(join(clone, 'objects', blob.slice(0, 2), blob.slice(2)));
    await addWorktree({ ...worktree, startCommit });
    expect(readdirSync(join(worktree.path, OUTER))).toEqual([]);
    expect(await uncommittedFiles(worktree)).toEqual([]);
  });

  it('are refused if the clone is a link', async () => {
    const { dir, root, notes } = given();
    const clone = join(dir, '.git/modules/libs/outer');
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    rmSync(clone, { recursive: true });
    symlinkSync(join(root, 'outer', '.git'), clone);
    expect((await notes()).submodules).toEqual([{ path: OUTER, reason: 'it is not cloned' }]);
  });
});

it('runs no program from the settings or attributes of a submodule or its repository', async () => {
  const { worktree, dir, root, git, gitIn, notes, startCommit, work, write } = given();
  const marker = join(root, 'ran');
  const script = join(root, 'planted.sh');
  writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${marker}\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  const hook = (gitDir: string) => {
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    writeFileSync(join(gitDir, 'hooks', 'post-checkout'), `#!/bin/sh\necho hook >> ${marker}\n`, { mode: 0o755 });
  };
  for (const gitDir of ['.git', '.git/modules/libs/outer'].map((path) => join(dir, path))) {
    hook(gitDir);
    for (const [key, value] of [
      ...[
        ['core.fsmonitor', script],
        ['filter.evil.smudge', script],
        ['filter.evil.clean', script],
      ],
      ...[
        ['filter.evil.process', script],
        ['submodule.libs/outer.update', `!${script}`],
        ['core.hooksPath', join(gitDir, 'hooks')],
      ],
    ]) {
      gitIn(dir, 'config', `--file=${join(gitDir, 'config')}`, key as string, value as string);
    }
    writeFileSync(join(gitDir, 'info', 'attributes'), '* filter=evil\n');
  }
  rmSync(marker, { force: true });
  write({ 'src.txt': 'changed\n' });
  expect((await notes(startCommit)).uncommitted?.count).toBe(1);
  await addWorktree({ ...worktree, startCommit });
  writeFileSync(join(worktree.path, OUTER, 'outer.txt'), 'changed\n');
  expect(await uncommittedFiles(worktree)).toEqual([`${OUTER}/`]);
  await commitWork(work);
  expect(existsSync(marker) ? readFileSync(marker, 'utf8') : '').toBe('');
  void git;
});

describe('uncommitted work of the checkout', () => {
  it('counts and names changed, staged, deleted and untracked files, but not ignored ones', async () => {
    const { dir, write, git, notes } = given();
    write({ '.gitignore': 'ignored\n', 'a b.txt': '1', 'gone.txt': '1', 'kept.txt': '1' });
    git('add', '-A');
    git('commit', '-qm', 'Files');
    write({
      ignored: 'x',
      'a b.txt': '2',
      'new\nline.txt': 'x',
      'dir/one.txt': '',
      'dir/two.txt': '',
      'staged.txt': '',
    });
    rmSync(join(dir, 'gone.txt'));
    git('add', 'staged.txt');
    const before = git('status', '--porcelain');
    const { uncommitted, warnings } = await notes();
    expect(uncommitted).toEqual({ count: 5, files: ['a b.txt', 'gone.txt', 'staged.txt', 'dir/', 'new\nline.txt'] });
    expect(warnings).toEqual([
      '5 uncommitted files are not part of the run: a b.txt, gone.txt, staged.txt and 2 more. Commit what the run needs first.',
    ]);
    expect(git('status', '--porcelain')).toBe(before);
  });

  it('is taken from the linked worktree from which the run starts', async () => {
    const { root, git, dir } = given();
    const linked = join(root, 'linked');
    git('worktree', 'add', '-q', '-b', 'other', linked);
    writeFileSync(join(linked, 'only here.txt'), 'x');
    const notesAt = (repoPath: string) => readStartNotes({ repoPath, commit: git('rev-parse', 'HEAD') });
    expect((await notesAt(linked)).uncommitted).toEqual({ count: 1, files: ['only here.txt'] });
    expect((await notesAt(dir)).uncommitted).toEqual({ count: 0, files: [] });
  });
});
