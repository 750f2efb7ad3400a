import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { writeFiles } from './writeFiles.ts';

it('replaces a link, and writes nothing behind one', () => {
  const root = mkdtempSync(join(tmpdir(), 'devflow-write-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const dir = join(root, 'repo');
  mkdirSync(join(root, 'directory'));
  mkdirSync(dir);
  writeFileSync(join(root, 'file'), 'kept');
  symlinkSync(join(root, 'file'), join(dir, 'link'));
  symlinkSync(join(root, 'directory'), join(dir, 'sub'));
  writeFiles(dir, { link: 'new' });
  expect(() => writeFiles(dir, { 'sub/file': 'new' })).toThrow('sub/file is behind a link');
  expect(readFileSync(join(root, 'file'), 'utf8')).toBe('kept');
  expect(readFileSync(join(dir, 'link'), 'utf8')).toBe('new');
});
