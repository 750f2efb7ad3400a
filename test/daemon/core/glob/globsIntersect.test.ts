import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFileName } from '../../../../daemon/core/glob/compileGlob.ts';
import { globReadings } from '../../../../daemon/core/glob/globReadings.ts';
import { globsIntersect } from '../../../../daemon/core/glob/globsIntersect.ts';
import { glob, path } from './arbitrary.ts';
import { expandedReadings, fastGlobMatcher } from './fastGlob.ts';

const SENSITIVE = { ignoreCase: false };

describe('two globs share a path', () => {
  it.each([
    ['src/new/**', 'src/new/api.ts'],
    ['src/auth', 'src/auth/x.ts'],
    ['src/auth', 'src/**/*.ts'],
    ['app/[id]/page.tsx', 'app/*id*/page.tsx'],
    ['app/[id]/page.tsx', 'app/d/page.tsx'],
    ['app/[...slug]', 'app/[...slug]/page.tsx'],
    ['app/(auth)/**', 'app/(auth)/login/page.tsx'],
    ['**', 'a'],
    ['**/*.test.ts', 'src/**'],
    ['src/**/a/**/b.ts', 'src/a/x/**'],
    ['*a*b*c', 'c*b*a*c'],
    ['a?c', '[a-c]b?'],
    ['[!a]x', '[a-b]x'],
    ['{a,{b,c}}/x', 'c/?'],
    ['v{1..3}.md', 'v[3-9].md'],
    ['v{01..10}.md', 'v07.md'],
    ['src/index.ts', 'src/index.ts/x'],
    ['.*', '?github/**'],
  ])('%s and %s', (a, b) => {
    expect(globsIntersect(a, b, SENSITIVE)).toBe('yes');
    expect(globsIntersect(b, a, SENSITIVE)).toBe('yes');
  });

  it.each([
    ['src/*.ts', 'src/*.tsx'],
    ['src/auth', 'src/auth2/x.ts'],
    ['src/auth/**', 'src/users/**'],
    ['app/(auth)/**', 'app/(shop)/**'],
    ['app/[id]/page.tsx', 'app/[slug]/layout.tsx'],
    ['README.md', 'readme.md'],
    ['README.md', '**/*.test.ts'],
    ['src/index.ts', '**/*.md'],
    ['Makefile', '**/*.md'],
    ['.gitignore', '**/*.md'],
    ['[a-c]x', '[d-f]x'],
    ['[!a]x', 'ax'],
    ['a/*/c.ts', 'a/c.ts'],
    ['a/*/c.ts', 'a/b/b/c.ts'],
    ['v{1..3}.md', 'v4.md'],
    ['.?', '?.'],
  ])('but not %s and %s', (a, b) => {
    expect(globsIntersect(a, b, SENSITIVE)).toBe('no');
    expect(globsIntersect(b, a, SENSITIVE)).toBe('no');
  });

  it('ignores the case only where the repository does', () => {
    expect(globsIntersect('README.md', 'readme.md', { ignoreCase: true })).toBe('yes');
    expect(globsIntersect('src/[a-c].ts', 'SRC/B.TS', { ignoreCase: true })).toBe('yes');
    expect(globsIntersect('[!a]', 'A', { ignoreCase: true })).toBe('no');
    expect(globsIntersect('[!a]', 'A', SENSITIVE)).toBe('yes');
  });

  it.each([
    ['src/@(a|b).ts', 'src/c.ts'],
    ['src/!(a).ts', 'src/**'],
    ['src/{1..100000}', 'src/7'],
    ['src/[[:alpha:]]', 'src/a'],
    ["'src'/{a,b}", 'lib/**'],
  ])('is unknown of a glob that this code cannot read: %s and %s', (a, b) => {
    expect(globsIntersect(a, b, SENSITIVE)).toBe('unknown');
  });

  it('is not unknown where the plain directories before it differ', () => {
    expect(globsIntersect('src/@(a|b).ts', 'lib/**', SENSITIVE)).toBe('no');
  });
});

describe('a hostile glob costs little', () => {
  it.each([
    ['two rows of stars', `${'*a'.repeat(250)}x?`, `${'*b'.repeat(250)}y?`],
    ['two rows of globstars', `${'**/*a/'.repeat(80)}?x`, `${'**/*b/'.repeat(80)}?x`],
    ['a thousand alternatives', '{a,b}'.repeat(1_000), 'a*'],
    ['a thousand braces in braces', `${'{a,'.repeat(1_000)}b${'}'.repeat(1_000)}`, 'a*'],
    ['a thousand open braces', '{'.repeat(1_000), 'a*'],
    ['a thousand ranges', '{1..9}'.repeat(1_000), '1*'],
    ['a thousand groups', `${'('.repeat(1_000)}a${')'.repeat(1_000)}`, 'a*'],
    ['a huge name', '?'.repeat(100_000), `${'?'.repeat(99_999)}*`],
  ])('%s', (_, a, b) => {
    expect(globsIntersect(a, b, SENSITIVE)).toBe('unknown');
  });

  it('and is still told from what is surely far away', () => {
    expect(globsIntersect(`src/${'*a'.repeat(200)}`, `lib/${'*a'.repeat(200)}`, SENSITIVE)).toBe('no');
  });
});

describe('the answer is that of a search', () => {
  it('where a path is found that fast-glob matches with both', () => {
    const paths = fc.array(path, { minLength: 40, maxLength: 40 });
    fc.assert(
      fc.property(glob('odd'), glob('common'), paths, fc.boolean(), (a, b, some, ignoreCase) => {
        const [isInA, isInB] = [a, b].map((text) => fastGlobMatcher(patternsOf(text), ignoreCase));
        const common = some.find((each) => isInA?.(each) && isInB?.(each));
        if (common !== undefined) expect([common, globsIntersect(a, b, { ignoreCase })]).not.toEqual([common, 'no']);
      }),
      { numRuns: 500, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) },
    );
  });

  /** All paths of up to seven of these. No name among them looks like that of a file. */
  const every = strings(['1', '2', '.', '/'], 7).filter(isPath);
  const small = fc
    .array(fc.constantFrom('1', '2', '.', '/', '*', '?', '**/'), { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.join('').replaceAll(/\/{2,}/g, '/'))
    .filter((text) => !text.startsWith('/') && !text.includes('***'));

  it('where all short paths are searched', () => {
    fc.assert(
      fc.property(small, small, (a, b) => {
        const [isInA, isInB] = [a, b].map((text) => fastGlobMatcher(patternsOf(text), false));
        const hasCommon = every.some((each) => isInA?.(each) && isInB?.(each));
        expect(globsIntersect(a, b, SENSITIVE)).toBe(hasCommon ? 'yes' : 'no');
      }),
      { numRuns: 200, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) },
    );
  });
});

/** What is in a directory counts only if its name is not surely one of a file. */
function patternsOf(text: string): string[] {
  const readings = globReadings(text);
  fc.pre(readings !== undefined);
  return expandedReadings(readings.map((each) => (isFileName(each.pattern) ? { ...each, inside: null } : each)));
}

function strings(letters: readonly string[], length: number): string[] {
  if (length === 0) return [''];
  return ['', ...strings(letters, length - 1).flatMap((text) => letters.map((letter) => letter + text))];
}

function isPath(text: string): boolean {
  return text.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
