import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normaliseGlob } from '../../../schemas/definitions/globRule.ts';

test.each([
  ['src/a.ts', 'src/a.ts'],
  ['src', 'src'],
  ['src/', 'src/**'],
  ['src//', 'src/**'],
  ['src/.', 'src/**'],
  ['src/**/', 'src/**'],
  ['src/*/', 'src/*/**'],
  ['./x', 'x'],
  ['././x', 'x'],
  ['.//x', 'x'],
  ['a//b/./c', 'a/b/c'],
  ['**', '**'],
  ['./**', '**'],
  ['.github/**', '.github/**'],
  ['src/{a,b}/*.ts', 'src/{a,b}/*.ts'],
  ['src{/a,/b}', 'src{/a,/b}'],
  ['file{1..3}.ts', 'file{1..3}.ts'],
  ['app/[id]/page.tsx', 'app/[id]/page.tsx'],
  ['app/\\[id\\]/page.tsx', 'app/\\[id\\]/page.tsx'],
  ['!(a).ts', '!(a).ts'],
  ['src/!(a).ts', 'src/!(a).ts'],
  ['a..b/*', 'a..b/*'],
  ['a b/ü.ts', 'a b/ü.ts'],
])('%j is the glob %j', (text, glob) => {
  expect(normaliseGlob(text)).toEqual({ glob });
});

test.each([
  ['', 'is empty'],
  ['  ', 'is empty'],
  ['.', 'names no file'],
  ['./', 'names no file'],
  ['/etc/passwd', 'must be relative to the root of the repository'],
  ['C:\\src\\a.ts', 'must be relative to the root of the repository'],
  ['{/etc,src}/x', 'must be relative to the root of the repository'],
  ['@(/etc|src)/x', 'must be relative to the root of the repository'],
  ['./{src,/etc}/x', 'must be relative to the root of the repository'],
  ['../x', 'must not lead out of a directory with ..'],
  ['src/../../x', 'must not lead out of a directory with ..'],
  ['{src,..}/x', 'must not lead out of a directory with ..'],
  ['src/{../..,b}/x', 'must not lead out of a directory with ..'],
  ['\\../x', 'must not lead out of a directory with ..'],
  ['!src/a.ts', 'must not be a negation: name the files that the task writes'],
  ['./!a', 'must not be a negation: name the files that the task writes'],
  ['src/\0', 'has control characters'],
  ['src/a\nb', 'has control characters'],
  ['.git/hooks/*', "lies in git's own directory"],
  ['{.GIT,src}/config', "lies in git's own directory"],
  ['a'.repeat(501), 'is longer than 500 characters'],
])('%j is refused: it %s', (text, fault) => {
  expect(normaliseGlob(text)).toEqual({ fault });
});

test('a normalised glob stays as it is', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '/', '.', '*', '!', '{', '}', ',', '(', ')', '|', '\\') });
  fc.assert(
    fc.property(text, (any) => {
      const first = normaliseGlob(any);
      if ('glob' in first) expect(normaliseGlob(first.glob)).toEqual(first);
    }),
  );
});
