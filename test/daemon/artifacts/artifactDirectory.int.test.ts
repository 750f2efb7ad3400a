import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ensureArtifactDirectory, IGNORE_ALL } from '../../../daemon/artifacts/artifactDirectory.ts';

function given() {
  const root = mkdtempSync(join(tmpdir(), 'devflow-directory-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [worktree, outside] = [join(root, 'worktree'), join(root, 'outside')];
  for (const each of [worktree, outside]) mkdirSync(each);
  return { worktree, outside, file: (name: string) => join(worktree, name) };
}

it('makes the directory with its ignore file, and makes it again after an agent removes it', () => {
  const { worktree, file } = given();
  for (const broken of ['.devflow', '.devflow/artifacts', '.devflow/artifacts/.gitignore']) {
    rmSync(file(broken), { recursive: true, force: true });
    ensureArtifactDirectory(worktree);
    expect(readFileSync(file('.devflow/artifacts/.gitignore'), 'utf8')).toBe(IGNORE_ALL);
  }
  writeFileSync(file('.devflow/artifacts/.gitignore'), '!*\n');
  ensureArtifactDirectory(worktree);
  expect(readFileSync(file('.devflow/artifacts/.gitignore'), 'utf8')).toBe(IGNORE_ALL);
});

it("does not change another tool's files in .devflow", () => {
  const { worktree, file } = given();
  mkdirSync(file('.devflow'));
  writeFileSync(file('.devflow/.gitignore'), 'cache/\n');
  ensureArtifactDirectory(worktree);
  expect(readFileSync(file('.devflow/.gitignore'), 'utf8')).toBe('cache/\n');
  expect(readdirSync(file('.devflow')).sort()).toEqual(['.gitignore', 'artifacts']);
});

it.each([
  ['.devflow', 'outside'],
  ['.devflow', 'outside/new'],
  ['.devflow/artifacts', 'outside'],
  ['.devflow/artifacts', 'outside/new'],
])('refuses %s as a link to %s, and makes nothing there', (place, target) => {
  const { worktree, outside, file } = given();
  mkdirSync(join(file(place), '..'), { recursive: true });
  symlinkSync(join(outside, '..', target), file(place));
  expect(() => ensureArtifactDirectory(worktree)).toThrow(
    expect.objectContaining({
      code: 'path_unsafe',
      message: expect.stringContaining(`the directory ${place} is a link`),
    }),
  );
  expect(readdirSync(outside)).toEqual([]);
});

it('replaces an ignore file that is a link, and does not change its target', () => {
  const { worktree, outside, file } = given();
  mkdirSync(file('.devflow/artifacts'), { recursive: true });
  writeFileSync(join(outside, 'mine'), 'mine');
  symlinkSync(join(outside, 'mine'), file('.devflow/artifacts/.gitignore'));
  ensureArtifactDirectory(worktree);
  expect(readFileSync(join(outside, 'mine'), 'utf8')).toBe('mine');
  expect(readFileSync(file('.devflow/artifacts/.gitignore'), 'utf8')).toBe(IGNORE_ALL);
});

it('does not make a missing worktree', () => {
  const { worktree } = given();
  rmSync(worktree, { recursive: true });
  ensureArtifactDirectory(worktree);
  expect(existsSync(worktree)).toBe(false);
});
