import { expect, it } from 'vitest';
import { isFileName } from '../../../../daemon/core/glob/compileGlob.ts';

it.each([
  'src/index.ts',
  'x.d.ts',
  'app/[id].tsx',
  'x.[jt]s',
  'README.md',
  'Makefile',
  'LICENSE',
  '.gitignore',
  'a/.nvmrc',
  '.env',
])('%s is a file', (pattern) => {
  expect(isFileName(pattern)).toBe(true);
});

it.each([
  'src/auth',
  '.github',
  '.husky',
  'v1.2',
  'src/Acme.Core',
  'app/[id]',
  'app/[...slug]',
  'app/\\[...slug\\]',
  'a.b/c',
])('%s may be a directory', (pattern) => {
  expect(isFileName(pattern)).toBe(false);
});
