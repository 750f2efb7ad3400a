import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Kill, runUntilKilled } from '../../../helpers/killedByGit.ts';
import { type Given, given } from './given.ts';

function applyAndDie({ repo, wish }: Given, at: string, when: Kill['when']): void {
  const program = join(import.meta.dirname, 'applyChild.ts');
  const files = { half: join(repo.dir, 'src/greet.txt'), gone: join(repo.dir, 'new.txt') };
  runUntilKilled(repo.root, program, [JSON.stringify({ dir: repo.dir, wish })], { at, when, ...files });
}

const POINTS = [
  ['read-tree -m -u', 'before'],
  ['read-tree -m -u', 'midst'],
  ['read-tree -m -u', 'after'],
  ['update-ref', 'before'],
  ['update-ref', 'after'],
] as const;

describe('an apply whose daemon was killed', () => {
  it.each(POINTS)('is finished by the next apply: killed at %s, %s', async (at, when) => {
    const it = given();
    applyAndDie(it, at, when);
    const { repo, head, preview, apply } = it;
    const plan = await preview();
    expect(plan.blocked).toBeNull();
    if (at !== 'update-ref' || when === 'before')
      expect(plan.notes.join()).toContain('An earlier apply was interrupted here');
    await apply();
    expect(repo.git('rev-parse', 'main')).toBe(head);
    expect(repo.git('status', '--porcelain')).toBe('');
    for (const left of ['index.lock', 'devflow-apply']) expect(existsSync(join(repo.dir, '.git', left))).toBe(false);
  });

  it('keeps what the person wrote since', async () => {
    const it = given();
    applyAndDie(it, 'read-tree -m -u', 'midst');
    const { repo, apply, read, baseCommit } = it;
    repo.write({ 'src/greet.txt': 'mine\n' });
    await expect(apply()).rejects.toMatchObject({
      code: 'checkout_unready',
      message: expect.stringContaining('these files changed since: src/greet.txt'),
      recoveryHint: expect.stringContaining(`git -C ${repo.dir} reset --hard ${baseCommit.slice(0, 12)}`),
    });
    expect(read('src/greet.txt')).toBe('mine\n');
    // The hint works: git's lock is free, and the next apply starts over.
    repo.git('reset', '-q', '--hard', baseCommit);
    expect((await apply()).applied).toBe(true);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  it('releases the lock at the next preview if it was killed after its last step', async () => {
    const it = given();
    applyAndDie(it, 'update-ref', 'after');
    expect((await it.preview()).sentence).toBe('Nothing to apply: main already has this work.');
    expect(existsSync(join(it.repo.dir, '.git/index.lock'))).toBe(false);
    it.repo.commit({ 'README.md': 'Went on\n' }, 'Went on');
  });

  it('is dropped if the person committed since', async () => {
    const it = given();
    applyAndDie(it, 'read-tree -m -u', 'midst');
    const { repo, apply, baseCommit } = it;
    execFileSync('rm', [join(repo.dir, '.git/index.lock')]);
    repo.git('reset', '-q', '--hard', baseCommit);
    repo.commit({ 'README.md': 'Went on\n' }, 'Went on');
    expect(await apply()).toMatchObject({ does: 'merge', applied: true });
    expect(repo.git('status', '--porcelain')).toBe('');
  });
});
