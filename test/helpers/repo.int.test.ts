import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { scratchRepo } from './repo.ts';

it('replaces a link, and writes nothing behind one', () => {
  const outside = mkdtempSync(join(tmpdir(), 'devflow-outside-'));
  const repo = scratchRepo();
  onTestFinished(() => {
    repo.cleanup();
    rmSync(outside, { recursive: true });
  });
  writeFileSync(join(outside, 'file'), 'kept');
  symlinkSync(join(outside, 'file'), join(repo.dir, 'link'));
  repo.write({ link: 'new' });
  mkdirSync(join(outside, 'directory'));
  symlinkSync(join(outside, 'directory'), join(repo.dir, 'sub'));
  expect(() => repo.write({ 'sub/file': 'new' })).toThrow('sub/file is behind a link');
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('kept');
});
