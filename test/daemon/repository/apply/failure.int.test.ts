import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Given, given } from './given.ts';

/** The real git, except that calls fail as on a full disk: once in the middle of the files, or every time. */
const FULL = `#!/bin/sh
case "$FULL_AT: $* " in
files:*" read-tree -m -u "* | stuck:*" read-tree -m -u "*)
  rm -f "$FULL_DIR/src/greet.txt"; printf 'Hel' >"$FULL_DIR/src/greet.txt"; printf 'new\\n' >"$FULL_DIR/new.txt"
  echo 'error: unable to write file: No space left on device' >&2; exit 128 ;;
stuck:*" checkout-index "* | branch:*" update-ref "* | branch-stuck:*" update-ref "*)
  echo 'fatal: No space left on device' >&2; exit 128 ;;
esac
case "$FULL_AT: $* " in
branch-stuck:*" read-tree -m -u $FULL_TO $FULL_FROM "*) echo 'fatal: No space left on device' >&2; exit 128 ;;
esac
exec "$REAL_GIT" "$@"
`;

type At = 'files' | 'stuck' | 'branch' | 'branch-stuck';

/** Fills the disk; the returned function frees it. */
function fillDisk({ repo, baseCommit, head }: Given, at: At): () => void {
  const bin = join(repo.root, 'bin');
  mkdirSync(bin);
  vi.stubEnv('REAL_GIT', execFileSync('which', ['git'], { encoding: 'utf8' }).trim());
  writeFileSync(join(bin, 'git'), FULL.replaceAll('$REAL_GIT', process.env.REAL_GIT as string), { mode: 0o755 });
  for (const [name, value] of [
    ['FULL_AT', at],
    ['FULL_DIR', repo.dir],
    ['FULL_TO', head],
    ['FULL_FROM', baseCommit],
    ['PATH', `${bin}:${process.env.PATH}`],
  ] as const)
    vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () => vi.unstubAllEnvs();
}

const leftovers = ({ repo }: Given) =>
  ['index.lock', 'devflow-apply'].filter((name) => existsSync(join(repo.dir, '.git', name)));

describe('an apply that fails on a full disk', () => {
  it.each(['files', 'branch'] as const)('changes nothing: %s', async (at) => {
    const it = given();
    const makeRoom = fillDisk(it, at);
    await expect(it.apply()).rejects.toMatchObject({ message: expect.stringContaining('No space left on device') });
    makeRoom();
    expect(it.repo.git('status', '--porcelain')).toBe('');
    expect(it.repo.git('rev-parse', 'main')).toBe(it.baseCommit);
    expect([it.read('src/greet.txt'), leftovers(it)]).toEqual(['Hello\n', []]);
  });

  it.each(['stuck', 'branch-stuck'] as const)(
    'is finished by the next apply if the files could not be restored: %s',
    async (at) => {
      const it = given();
      const makeRoom = fillDisk(it, at);
      await expect(it.apply()).rejects.toMatchObject({
        code: 'checkout_unready',
        message: expect.stringContaining('left changed files there'),
        recoveryHint: expect.stringContaining('apply again'),
      });
      makeRoom();
      // The person's own git can use the checkout.
      expect(leftovers(it)).toEqual(['devflow-apply']);
      expect((await it.preview()).notes.join()).toContain('An earlier apply was interrupted here');
      expect((await it.apply()).sentence).toMatch(/Fast-forward|already has this work/);
      expect(it.repo.git('status', '--porcelain')).toBe('');
      expect(it.repo.git('rev-parse', 'main')).toBe(it.head);
      expect(leftovers(it)).toEqual([]);
    },
  );
});
