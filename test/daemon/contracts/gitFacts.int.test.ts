import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitsSince, findCheckout, isTracked } from '../../../daemon/contracts/gitFacts.ts';
import { scratchRepo } from '../../helpers/repo.ts';

function given() {
  const repo = scratchRepo();
  onTestFinished(repo.cleanup);
  return repo;
}

async function subjectsSince(checkout: string, from: string): Promise<unknown> {
  const found = await commitsSince(checkout, from);
  return found.ok ? found.commits.map(({ subject }) => subject) : found.reason;
}

describe('the commits of a range', () => {
  it('are listed with id, subject and time, the oldest first', async () => {
    const { dir, git, commit } = given();
    const from = git('rev-parse', 'HEAD');
    const shas = [commit({ a: '1' }, 'feat: one\ttab\n\nbody'), commit({ a: '2' }, 'commit abc')];
    const found = await commitsSince(dir, from);
    expect(found).toMatchObject({ ok: true, commits: shas.map((sha) => ({ sha })) });
    expect(await subjectsSince(dir, from.slice(0, 7))).toEqual(['feat: one\ttab', 'commit abc']);
    const at = Number(git('show', '-s', '--format=%ct', 'HEAD')) * 1000;
    expect(found.ok && found.commits[1]?.at).toBe(at);
    expect(await subjectsSince(dir, shas[1] as string)).toEqual([]);
  });

  it('are those of the worktree that is asked', async () => {
    const { root, dir, git, gitIn, commit } = given();
    const from = git('rev-parse', 'HEAD');
    commit({ a: '1' }, 'in main');
    const other = join(root, 'other');
    git('worktree', 'add', '-q', '-b', 'other', other, from);
    gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'in the other');
    expect(await subjectsSince(other, from)).toEqual(['in the other']);
    expect(await subjectsSince(dir, from)).toEqual(['in main']);
  });

  it.each(['HEAD~1', '--all', 'main', 'f'.repeat(40), '', '--output=/tmp/x'])(
    'are not known since “%s”',
    async (from) => {
      const { dir } = given();
      expect(await subjectsSince(dir, from)).toMatch(/session_start_sha/);
    },
  );

  it('run nothing that the repository configures', async () => {
    const { root, dir, git, commit } = given();
    const from = git('rev-parse', 'HEAD');
    commit({ a: '1', '.gitattributes': '* filter=evil diff=evil\n' }, 'one');
    const [mark, script] = [join(root, 'mark'), join(root, 'evil.sh')];
    writeFileSync(script, `#!/bin/sh\ntouch ${mark}\n`);
    chmodSync(script, 0o755);
    for (const name of ['core.fsmonitor', 'core.pager', 'filter.evil.clean', 'diff.evil.textconv', 'gpg.program']) {
      git('config', name, script);
    }
    git('config', 'log.showSignature', 'true');
    git('config', 'core.hooksPath', root);
    git('config', 'color.ui', 'always');
    expect(await subjectsSince(dir, from)).toEqual(['one']);
    expect(await isTracked(dir, join(dir, 'a'))).toBe(true);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('HC-7.2: whether git tracks a file', () => {
  it('is asked of the index, letter by letter', async () => {
    const { dir, git, write } = given();
    write({ 'p/*.json': '{}', 'p/x.json': '{}', 'p/new\nline.json': '{}' });
    git('add', '--', ':(literal)p/*.json', 'p/new\nline.json');
    expect(await isTracked(dir, join(dir, 'p/*.json'))).toBe(true);
    expect(await isTracked(dir, join(dir, 'p/new\nline.json'))).toBe(true);
    expect(await isTracked(dir, join(dir, 'p/x.json'))).toBe(false);
    expect(await isTracked(dir, join(dir, 'p'))).toBe(false);
  });
  it('is no where git cannot answer', async () => {
    const { root, dir } = given();
    writeFileSync(join(root, '.git'), 'gitdir: /nonexistent\n');
    expect(await isTracked(root, join(root, 'x'))).toBe(false);
    expect(await isTracked(dir, '/elsewhere')).toBe(false);
  });
});

describe('the checkout of a directory', () => {
  it('is the nearest one above it', () => {
    const { dir } = given();
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    expect(findCheckout(join(dir, 'a/b'))).toBe(dir);
    expect(findCheckout(join(dir, 'not/there'))).toBe(dir);
    expect(findCheckout(join(dir, 'x'.repeat(300)))).toBe(dir);
    symlinkSync('loop', join(dir, 'loop'));
    expect(findCheckout(join(dir, 'loop/x'))).toBe(dir);
  });
});
