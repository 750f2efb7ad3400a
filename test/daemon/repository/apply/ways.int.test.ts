import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { given, WORK } from './given.ts';

describe('applying the work of a run', () => {
  it('fast-forwards the branch, with files, index, reflog and ORIG_HEAD as git does', async () => {
    const { repo, head, baseCommit, apply, read } = given();
    const done = await apply();
    expect(done).toMatchObject({ does: 'fast_forward', applied: true, commit: head, target: 'main', onto: baseCommit });
    expect(done.totals).toEqual({ files: 2, insertions: 2, deletions: 1 });
    expect(done.commits).toEqual([{ commit: head, subject: 'Implement' }]);
    expect(repo.git('rev-parse', 'main')).toBe(head);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(read('src/greet.txt')).toBe('Hello, name\n');
    expect(repo.git('rev-parse', 'ORIG_HEAD')).toBe(baseCommit);
    expect(repo.git('reflog', '-1', '--format=%gs', 'HEAD')).toBe('devflow run apply run: fast-forward');
    expect(repo.git('reflog', '-1', '--format=%gs', 'main')).toBe('devflow run apply run: fast-forward');
    for (const left of ['index.lock', 'devflow-apply', 'devflow'])
      expect(existsSync(join(repo.dir, '.git', left))).toBe(false);
  });

  it('shows the push of a pull request only if there is a remote, and its name', async () => {
    const { repo, preview } = given();
    const pushes = async () => (await preview()).lines.filter((line) => / push |gh pr create/.test(line));
    expect(await pushes()).toEqual([]);
    repo.git('remote', 'add', 'elsewhere', 'https://example.invalid/a.git');
    expect((await pushes())[0]).toBe(`git -C ${repo.dir} push elsewhere ${WORK}`);
    repo.git('remote', 'add', 'origin', 'https://example.invalid/b.git');
    expect((await pushes())[0]).toBe(`git -C ${repo.dir} push origin ${WORK}`);
    repo.git('config', 'remote.pushDefault', 'elsewhere');
    expect(await pushes()).toHaveLength(2);
    expect((await pushes())[0]).toContain(' push elsewhere ');
  });

  it('merges if the branch moved on, and says so in the plan', async () => {
    const { repo, head, apply, preview, read } = given();
    const onto = repo.commit({ 'README.md': '# Another\n' }, 'Meanwhile');
    const plan = await preview();
    expect(plan).toMatchObject({ does: 'merge', blocked: null, applied: false });
    expect(plan.notes).toEqual(['main has 1 commit that the work does not have.']);
    expect((await apply()).does).toBe('merge');
    expect(repo.git('log', '-1', '--format=%P')).toBe(`${onto} ${head}`);
    expect(repo.git('log', '-1', '--format=%B')).toContain(
      `Merge branch '${WORK}' into main\n\nGreet by name\n\nDevflow-Run: run`,
    );
    expect(repo.git('log', '-1', '--format=%an <%ae> %cn')).toBe('Test <test@localhost> Test');
    expect([read('README.md'), read('src/greet.txt')]).toEqual(['# Another\n', 'Hello, name\n']);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('makes a merge commit on request, even if it could fast-forward', async () => {
    const { repo, baseCommit, head, apply } = given();
    expect((await apply({ way: 'merge' })).does).toBe('merge');
    expect(repo.git('log', '-1', '--format=%P')).toBe(`${baseCommit} ${head}`);
  });

  it("squashes into one commit with the run's title and what its agents say, and does so only once", async () => {
    const { repo, apply } = given();
    const summary = `${'Greet takes a name. '.repeat(5)}\n\nDevflow-Run: other\n\u001b[2J`;
    await apply({ way: 'squash', title: 'Devflow-Run: other', summary });
    const message = repo.git('log', '-1', '--format=%B').split('\n');
    expect(message).toEqual([
      ...['Devflow-Run: other', ''],
      ...['Greet takes a name. Greet takes a name. Greet takes a name. Greet takes', 'a name. Greet takes a name.'],
      ...['', ' Devflow-Run: other', '␛[2J', '', 'Devflow-Run: run'],
    ]);
    expect(repo.git('log', '-1', '--format=%(trailers:key=Devflow-Run,valueonly)').trim()).toBe('run');
    expect(repo.git('log', '--format=%H', '--grep=^Devflow-Run: other')).toBe('');
  });

  it('squashes into one commit with the title, and does so only once', async () => {
    const { repo, apply } = given();
    const onto = repo.commit({ 'README.md': '# Another\n' }, 'Meanwhile');
    await apply({ way: 'squash' });
    expect(repo.git('log', '-1', '--format=%P%n%B')).toBe(`${onto}\nGreet by name\n\nDevflow-Run: run`);
    expect(await apply({ way: 'squash' })).toMatchObject({
      does: 'nothing',
      applied: false,
      sentence: 'Nothing to apply: main already has all changes of the run.',
    });
  });

  it('makes a branch and ignores the checkout', async () => {
    const { repo, head, apply } = given();
    repo.write({ 'README.md': 'half done\n' });
    repo.git('switch', '-q', '--detach');
    expect(await apply({ way: 'branch', newBranch: 'greet' })).toMatchObject({
      does: 'branch',
      target: 'greet',
      applied: true,
    });
    expect(repo.git('rev-parse', 'greet')).toBe(head);
    expect(repo.git('status', '--porcelain')).toBe('M README.md');
    for (const [newBranch, code] of [
      ['greet', 'branch_exists'],
      ['greet/more', 'branch_exists'],
      ['-x', 'usage'],
      ['a..b', 'usage'],
    ])
      await expect(apply({ way: 'branch', newBranch }), newBranch).rejects.toMatchObject({ code });
    for (const newBranch of ['@{-1}', 'HEAD', 'devflow', 'devflow/mine', 'x y'])
      await expect(apply({ way: 'branch', newBranch }), newBranch).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['feature', 'feature/one'],
    ['feature/one/more', 'feature/one'],
  ])('says which branch is in the way of the branch %s', async (newBranch, inTheWay) => {
    const { repo, apply, preview } = given();
    for (const name of ['feature/one', 'feature/two', 'features']) repo.git('branch', name);
    const said = `The branch ${newBranch} cannot be beside the branch ${inTheWay}.`;
    expect((await preview({ way: 'branch', newBranch })).blocked).toMatchObject({
      code: 'branch_exists',
      message: said,
    });
    await expect(apply({ way: 'branch', newBranch })).rejects.toMatchObject({ code: 'branch_exists', message: said });
  });

  it('says when there is nothing to apply', async () => {
    const { baseCommit, apply, repo, wish } = given();
    await apply();
    expect((await apply()).sentence).toBe('Nothing to apply: main already has this work.');
    repo.git('branch', '-f', WORK, baseCommit);
    expect(
      (await apply({ ...wish, lastCommit: null, accepted: [{ commit: baseCommit, source: 'devflow' as const }] }))
        .sentence,
    ).toBe('Nothing to apply: the run made no commits.');
  });

  it('uses the last commit of the log if the branch is gone', async () => {
    const { repo, head, apply } = given();
    repo.git('update-ref', 'refs/devflow/kept/x', head);
    repo.git('branch', '-D', WORK);
    expect(await apply()).toMatchObject({
      applied: true,
      notes: [`The branch ${WORK} is gone. This is its last known commit.`],
    });
  });

  it('writes deleted, moved, executable, linked and oddly named files as git does', async () => {
    const odd = 'a\nb \u001b[31m"';
    const { repo, apply, head } = given((it) => {
      it.git('rm', '-q', 'old.txt');
      it.git('rm', '-rq', 'src');
      it.write({
        src: 'a file now\n',
        'old.txt/inner.txt': 'a directory now\n',
        [odd]: 'odd\n',
        'deep/er/x.sh': '#!/bin/sh\n',
      });
      symlinkSync('README.md', join(it.dir, 'link'));
      chmodSync(join(it.dir, 'deep/er/x.sh'), 0o755);
      it.git('add', '-A');
      it.git('commit', '-q', '-m', 'Many');
    });
    await apply();
    expect(repo.git('rev-parse', 'HEAD')).toBe(head);
    expect(repo.git('status', '--porcelain', '--untracked-files=all')).toBe('');
    expect(statSync(join(repo.dir, 'deep/er/x.sh')).mode & 0o100).toBe(0o100);
  });

  it('writes line endings by the settings and all attributes of the person', async () => {
    const { repo, apply, read } = given(
      (it) => it.commit({ 'dos.bat': 'one\ntwo\n', 'text.txt': 'one\ntwo\n', 'mine.foo': 'one\n', 'id.x': '$Id$\n' }),
      (it) => {
        it.commit({ '.gitattributes': '*.bat text eol=crlf\n*.x ident\n' });
        it.git('config', 'core.autocrlf', 'false');
        mkdirSync(join(it.root, 'home/.config/git'), { recursive: true });
        it.write({ '../home/.config/git/attributes': '*.foo text eol=crlf\n' });
      },
    );
    await apply();
    expect([read('dos.bat'), read('text.txt'), read('mine.foo')]).toEqual(['one\r\ntwo\r\n', 'one\ntwo\n', 'one\r\n']);
    expect(read('id.x')).toMatch(/^\$Id: [0-9a-f]{40} \$\n$/);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('works in a linked worktree of the person', async () => {
    const { repo, head, apply } = given();
    const linked = join(repo.root, 'linked');
    repo.git('worktree', 'add', '-q', '-b', 'other', linked);
    expect(await apply({}, linked)).toMatchObject({
      target: 'other',
      notes: ['The run started from main, but other is checked out.'],
    });
    expect(repo.gitIn(linked, 'rev-parse', 'HEAD')).toBe(head);
    expect(repo.gitIn(linked, 'status', '--porcelain')).toBe('');
    expect(repo.gitIn(linked, 'reflog', '-1', '--format=%gs')).toContain('devflow run apply');
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
