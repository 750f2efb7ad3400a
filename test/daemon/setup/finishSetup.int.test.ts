import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openPrivateGit } from '../../../daemon/repository/privateGit/privateGit.ts';
import { commitAndList } from '../../../daemon/repository/worktree/commitWork.ts';
import { checkoutDetached, removeDetachedWorktree } from '../../../daemon/repository/worktree/detachedWorktree.ts';
import { readStatus } from '../../../daemon/repository/worktree/worktreeStatus.ts';
import { finishSetup } from '../../../daemon/setup/finishSetup.ts';
import { rememberBefore } from '../../../daemon/setup/worktreeBefore.ts';
import { agentEnv, givenSetup } from './given.ts';

const TRAILERS = { run: 'r', phase: 'p', attempt: 1 };

/** A set-up whose commands have not run yet. */
async function begun() {
  const at = await givenSetup({}, { 'lock.json': '1', 'run.sh': 'sh', 'src/a.ts': 'a', 'made/dir/file': 'f' });
  const put = (files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(at.path(name), '..'), { recursive: true });
      writeFileSync(at.path(name), text);
    }
  };
  const git = (...args: string[]) => at.repo.gitIn(at.privateGit.path, ...args);
  const finish = (id = 's-1') => finishSetup({ privateGit: at.privateGit, id });
  await rememberBefore(at.privateGit, 's-1');
  return { ...at, put, git, finish };
}

describe('what a set-up changed', () => {
  it('is put back where git tracks it, with its mode', async () => {
    const at = await begun();
    at.put({ 'lock.json': '2' });
    chmodSync(at.path('run.sh'), 0o755);
    rmSync(at.path('src'), { recursive: true });
    symlinkSync('/etc', at.path('src'));
    rmSync(at.path('made'), { recursive: true });
    at.put({ made: 'now a file' });
    const { changed, excluded } = await at.finish();
    expect(changed).toEqual(['lock.json', 'made/dir/file', 'run.sh', 'src/a.ts', 'src/a.txt']);
    expect(excluded).toEqual([]);
    expect([at.text('lock.json'), at.text('src/a.ts'), at.text('made/dir/file')]).toEqual(['1', 'a', 'f']);
    expect(statSync(at.path('run.sh')).mode & 0o111).toBe(0);
    expect(at.git('status', '--porcelain')).toBe('');
    expect(existsSync('/etc/a.ts')).toBe(false);
  });

  it('is kept beside the worktree, because a person may have edited it meanwhile', async () => {
    const at = await begun();
    const kept = (path: string) =>
      readFileSync(join(at.privateGit.path, '..', '.kept', basename(at.privateGit.path), 'put-back', path), 'utf8');
    at.put({ 'lock.json': '2', 'src/a.ts': 'an edit' });
    await at.finish();
    expect([at.text('lock.json'), at.text('src/a.ts')]).toEqual(['1', 'a']);
    expect([kept('1/lock.json'), kept('1/src/a.ts')]).toEqual(['2', 'an edit']);
    await rememberBefore(at.privateGit, 's-2');
    at.put({ 'src/a.ts': 'another edit' });
    rmSync(at.path('lock.json'));
    expect((await at.finish('s-2')).changed).toEqual(['lock.json', 'src/a.ts']);
    expect([kept('1/src/a.ts'), kept('2/src/a.ts')]).toEqual(['an edit', 'another edit']);
    expect(() => kept('2/lock.json')).toThrow('ENOENT');
    await removeDetachedWorktree({ repoPath: at.checkout, path: at.privateGit.path });
    expect(() => kept('1/src/a.ts')).toThrow('ENOENT');
  });

  it('is kept where its name is no UTF-8, and where a file is in the way of a directory', async () => {
    const at = await begun();
    const raw = (...names: string[]) => Buffer.concat(names.map((each) => Buffer.from(each, 'latin1')));
    const here = `${at.privateGit.path}/`;
    mkdirSync(raw(here, 'd\xff'));
    writeFileSync(raw(here, 'd\xff/n\xfe'), 'tracked');
    at.git('add', '-A');
    at.git('commit', '-qm', 'Odd names');
    await rememberBefore(at.privateGit, 's-2');
    writeFileSync(raw(here, 'd\xff/n\xfe'), 'an edit');
    rmSync(at.path('made'), { recursive: true });
    at.put({ made: 'in the way' });
    await at.finish('s-2');
    expect(readFileSync(raw(here, 'd\xff/n\xfe'), 'utf8')).toBe('tracked');
    expect(at.text('made/dir/file')).toBe('f');
    const kept = `${join(here, '..', '.kept', basename(at.privateGit.path), 'put-back')}/`;
    expect(readFileSync(`${kept}1/made`, 'utf8')).toBe('in the way');
    const [odd] = readdirSync(`${kept}1`).filter((each) => each.startsWith('d'));
    const [file] = readdirSync(`${kept}1/${odd}`, { encoding: 'buffer' });
    expect(readFileSync(Buffer.concat([Buffer.from(`${kept}1/${odd}/`), file ?? Buffer.from('')]), 'utf8')).toBe(
      'an edit',
    );
  });

  it('is not replaced if it cannot be kept', async () => {
    const at = await begun();
    at.put({ 'lock.json': 'an edit' });
    const place = join(at.privateGit.path, '..', '.kept', basename(at.privateGit.path));
    rmSync(join(place, 'put-back'), { recursive: true, force: true });
    writeFileSync(join(place, 'put-back'), 'in the way');
    await expect(at.finish()).rejects.toMatchObject({ code: 'file_system_failed' });
    expect(at.text('lock.json')).toBe('an edit');
  });

  it('is kept for the last twenty set-ups alone', async () => {
    const at = await begun();
    const kept = join(at.privateGit.path, '..', '.kept', basename(at.privateGit.path), 'put-back');
    for (let nth = 1; nth <= 22; nth++) mkdirSync(join(kept, String(nth)), { recursive: true });
    at.put({ 'lock.json': 'an edit' });
    await at.finish();
    expect(
      readdirSync(kept)
        .map(Number)
        .sort((a, b) => a - b),
    ).toEqual(Array.from({ length: 20 }, (_, nth) => nth + 4));
  });

  it('stays, and is excluded, where git would commit it', async () => {
    const at = await begun();
    at.put({ '.venv/bin/x': 'x', '.venv/lib/y': 'y', 'src/gen.ts': 'g', 'a\nb *[c]': 'odd', ' end ': 'e' });
    at.repo.git('init', '-q', at.path('tool'));
    at.put({ 'tool/x': 'x' });
    const { changed, excluded } = await at.finish();
    expect(changed).toEqual([]);
    expect(excluded.sort()).toEqual([' end ', '.venv/', 'a\nb *[c]', 'src/gen.ts', 'tool/']);
    at.put({ 'src/work.ts': 'w', '.venv/later': 'l' });
    expect((await readStatus(at.privateGit)).files).toEqual(['src/work.ts']);
    expect((await readStatus(at.privateGit)).nested).toEqual([]);
    const env = await agentEnv(at.privateGit);
    const status = execFileSync('git', ['status', '--porcelain'], { cwd: at.privateGit.path, env, encoding: 'utf8' });
    expect(status).toBe('?? src/work.ts\n');
    expect(at.repo.git('status', '--porcelain')).toBe('');
    const { work } = await commitAndList({
      worktree: at.place('main'),
      subject: 'Work',
      trailers: TRAILERS,
      since: at.base,
    });
    expect(work).toMatchObject({ files: 1 });
    expect(work.nestedRepositories).toBeUndefined();
    expect(readdirSync(at.path('.venv')).sort()).toEqual(['bin', 'later', 'lib']);
  });

  it("keeps the person's own ignore file for the agent", async () => {
    const at = await begun();
    writeFileSync(join(at.repo.root, 'ignore'), 'mine.txt');
    at.repo.git('config', '--global', 'core.excludesFile', join(at.repo.root, 'ignore'));
    await openPrivateGit(at.place('main'));
    at.put({ 'made.txt': 'm', 'mine.txt': 'm' });
    expect((await at.finish()).excluded).toEqual(['made.txt']);
    const env = await agentEnv(at.privateGit);
    const status = () =>
      execFileSync('git', ['status', '--porcelain'], { cwd: at.privateGit.path, env, encoding: 'utf8' });
    expect(status()).toBe('');
    at.put({ 'work.txt': 'w' });
    expect(status()).toBe('?? work.txt\n');
  });

  it('is told apart from what the agent had changed before', async () => {
    const at = await begun();
    await at.finish();
    at.put({ 'lock.json': "the agent's", 'new.ts': 'new' });
    chmodSync(at.path('run.sh'), 0o755);
    await rememberBefore(at.privateGit, 's-2');
    at.put({ 'lock.json': 'by the set-up', 'src/a.ts': 'changed', 'out.txt': 'o' });
    expect(await at.finish('s-2')).toEqual({ changed: ['lock.json', 'src/a.ts'], excluded: ['out.txt'] });
    expect([at.text('lock.json'), at.text('src/a.ts')]).toEqual(["the agent's", 'a']);
    expect((await readStatus(at.privateGit)).files.sort()).toEqual(['lock.json', 'new.ts', 'run.sh']);
  });

  it('is put back on the branch, too', async () => {
    const at = await begun();
    at.put({ 'src/a.ts': 'committed' });
    at.git('commit', '-qam', 'By the set-up');
    at.git('switch', '-qc', 'other');
    const { changed } = await at.finish();
    expect(changed).toEqual(['refs/heads/devflow/run/main', 'src/a.ts']);
    expect(at.tip('main')).toBe(at.base);
    expect(at.git('symbolic-ref', 'HEAD')).toBe('refs/heads/devflow/run/main');
    expect(at.git('status', '--porcelain')).toBe('');
  });

  it('is the same after a second call, and a later set-up begins anew', async () => {
    const at = await begun();
    at.put({ 'lock.json': '2', 'out.txt': 'o' });
    const first = await at.finish();
    at.put({ 'lock.json': 'work of the agent' });
    expect(await at.finish()).toEqual(first);
    expect(at.text('lock.json')).toBe('work of the agent');
    await rememberBefore(at.privateGit, 's-1');
    expect(await at.finish()).toEqual({ changed: [], excluded: [] });
  });

  it('is told in a detached worktree, whose next commit keeps what was made', async () => {
    const at = await begun();
    const path = join(at.runDir, 'integration');
    await checkoutDetached({ repoPath: at.repo.dir, path, commit: at.base });
    const privateGit = await openPrivateGit({ repoPath: at.repo.dir, path, branch: 'devflow/none', head: at.base });
    await rememberBefore(privateGit, 'm-1');
    mkdirSync(join(path, '.venv'));
    writeFileSync(join(path, '.venv/x'), 'x');
    writeFileSync(join(path, 'lock.json'), '2');
    expect(await finishSetup({ privateGit, id: 'm-1' })).toEqual({ changed: ['lock.json'], excluded: ['.venv/'] });
    const next = at.commitOn('lane-1', { 'f.txt': 'next' });
    await checkoutDetached({ repoPath: at.repo.dir, path, commit: next });
    expect(readdirSync(join(path, '.venv'))).toEqual(['x']);
    expect(at.repo.gitIn(path, 'diff', 'HEAD', '--stat')).toBe('');
  });
});
