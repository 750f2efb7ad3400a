import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readArtifact } from '../../../daemon/artifacts/storedArtifact.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-artifact-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const worktree = join(root, 'worktree');
  mkdirSync(worktree);
  return { root, worktree, path: join(worktree, 'a.json') };
}

describe('readArtifact', () => {
  it('returns undefined if the file is gone', async () => {
    const { path, worktree } = given();
    expect(await readArtifact(path, worktree)).toBeUndefined();
  });

  it('does not follow a link', async () => {
    const { root, path, worktree } = given();
    writeFileSync(join(root, 'secret'), '{"a":1}');
    symlinkSync('../secret', path);
    expect(await readArtifact(path, worktree)).toEqual({ ok: false, fault: 'the file is a link' });
  });

  it('does not follow a directory that is a link', async () => {
    const { root, worktree } = given();
    mkdirSync(join(root, 'outside'));
    writeFileSync(join(root, 'outside', 'a.json'), '{}');
    symlinkSync('../outside', join(worktree, 'phase'));
    const read = await readArtifact(join(worktree, 'phase', 'a.json'), worktree);
    expect(read).toEqual({ ok: false, fault: 'the directory phase is a link' });
  });

  it('does not wait for the writer of a pipe', async () => {
    const { path, worktree } = given();
    execFileSync('mkfifo', [path]);
    expect(await readArtifact(path, worktree)).toEqual({ ok: false, fault: 'this is not a regular file' });
  });

  it('reports a link to itself as a fault', async () => {
    const { path, worktree } = given();
    symlinkSync('a.json', path);
    expect(await readArtifact(path, worktree)).toEqual({ ok: false, fault: 'the file is a link' });
  });

  it.skipIf(process.getuid?.() === 0)('tells the agent of a file that nobody may read', async () => {
    const { path, worktree } = given();
    writeFileSync(path, '{}');
    chmodSync(path, 0);
    expect(await readArtifact(path, worktree)).toEqual({ ok: false, fault: 'the file cannot be read (EACCES)' });
  });
});
