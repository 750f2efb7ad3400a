import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileGlob } from '../../../../daemon/core/glob/compileGlob.ts';
import { globReadings } from '../../../../daemon/core/glob/globReadings.ts';
import { matchesCompiled, matchesGlob } from '../../../../daemon/core/glob/matchesGlob.ts';
import { glob, path } from './arbitrary.ts';
import { expandedByFastGlob, expandedReadings, fastGlobMatcher } from './fastGlob.ts';

const SENSITIVE = { ignoreCase: false };

describe('a path matches a glob', () => {
  it.each([
    ['src/**', 'src/a/b.ts', 'yes'],
    ['src/**', 'src', 'yes'],
    ['src/**', 'src2/a.ts', 'no'],
    ['src/*.ts', 'src/a.ts', 'yes'],
    ['src/*.ts', 'src/.ts', 'yes'],
    ['src/*.ts', 'src/a/b.ts', 'no'],
    ['src/*.ts', 'src/a.tsx', 'no'],
    ['**/*.ts', 'a.ts', 'yes'],
    ['**/.env', 'a/b/.env', 'yes'],
    ['a/**/b', 'a/b', 'yes'],
    ['a/**/b', 'a/x/y/b', 'yes'],
    ['a/**b', 'a/x/b', 'no'],
    ['a?c', 'abc', 'yes'],
    ['a?c', 'a/c', 'no'],
    ['a[0-9]', 'a5', 'yes'],
    ['a[!0-9]', 'a5', 'no'],
    ['a[^0-9]', 'ax', 'yes'],
    ['{src,test}/**/*.{ts,tsx}', 'test/x/y.tsx', 'yes'],
    ['v{1..3}.md', 'v2.md', 'yes'],
    ['v{1..3}.md', 'v4.md', 'no'],
    ['\\*.md', '*.md', 'yes'],
    ['\\*.md', 'a.md', 'no'],
    ['a,b', 'a,b', 'yes'],
  ])('%s: %s: %s', (pattern, file, expected) => {
    expect(matchesGlob(file, [pattern], SENSITIVE)).toBe(expected);
  });

  it.each([
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', 'yes'],
    ['app/[id]/page.tsx', 'app/d/page.tsx', 'yes'],
    ['app/[user-id]/page.tsx', 'app/[user-id]/page.tsx', 'yes'],
    ['app/[...slug]/page.tsx', 'app/[...slug]/page.tsx', 'yes'],
    ['app/[[...slug]]/*.tsx', 'app/[[...slug]]/page.tsx', 'yes'],
    ['app/[...slug]/[0-9].tsx', 'app/[...slug]/7.tsx', 'yes'],
    ['app/(auth)/login/**', 'app/(auth)/login/page.tsx', 'yes'],
    ['app/(auth)/login/**', 'app/(shop)/login/page.tsx', 'no'],
    ['app/(a|b)/page.tsx', 'app/(a|b)/page.tsx', 'yes'],
    ['{{cookiecutter.name}}/**', '{{cookiecutter.name}}/setup.py', 'yes'],
    ['src/routes/+page.svelte', 'src/routes/+page.svelte', 'yes'],
    ['app/routes/$id.tsx', 'app/routes/$id.tsx', 'yes'],
  ])('reads the names that frameworks give to files: %s: %s: %s', (pattern, file, expected) => {
    expect(matchesGlob(file, [pattern], SENSITIVE)).toBe(expected);
  });

  it('takes the name of a directory for all that is in it', () => {
    expect(matchesGlob('src/auth/x.ts', ['src/auth'], SENSITIVE)).toBe('yes');
    expect(matchesGlob('app/[id]/page.tsx', ['app/[id]'], SENSITIVE)).toBe('yes');
    expect(matchesGlob('src/auth/x.ts', ['src/{auth,users/*}'], SENSITIVE)).toBe('yes');
    expect(matchesGlob('src/users/x/y.ts', ['src/{auth,users/*}'], SENSITIVE)).toBe('no');
    expect(matchesGlob('src/auth2/x.ts', ['src/auth'], SENSITIVE)).toBe('no');
  });

  it('ignores the case only where the repository does', () => {
    expect(matchesGlob('readme.md', ['README.md'], SENSITIVE)).toBe('no');
    expect(matchesGlob('readme.md', ['README.md'], { ignoreCase: true })).toBe('yes');
    expect(matchesGlob('SRC/É.ts', ['src/[é].ts'], { ignoreCase: true })).toBe('yes');
    expect(matchesGlob('B', ['[!b]'], { ignoreCase: true })).toBe('no');
  });

  it('says when it cannot read a pattern, but not of paths that are surely outside', () => {
    expect(matchesGlob('src/a.ts', ['src/@(a|b).ts'], SENSITIVE)).toBe('unknown');
    expect(matchesGlob('docs/a.md', ['src/@(a|b).ts'], SENSITIVE)).toBe('no');
    expect(matchesGlob('lib/a.ts', ['src/a.ts|lib/*'], SENSITIVE)).toBe('unknown');
    expect(matchesGlob('src/a.ts', ['src/[[:alpha:]].ts'], SENSITIVE)).toBe('unknown');
    expect(matchesGlob('src/a.ts', ['src/@(a|b).ts', 'src/*'], SENSITIVE)).toBe('yes');
    expect(matchesGlob('src/500', ['src/{1..100000}'], SENSITIVE)).toBe('unknown');
  });

  it('matches line breaks in names', () => {
    expect(matchesGlob('src/a\nb.ts', ['src/**'], SENSITIVE)).toBe('yes');
  });
});

describe('fast-glob answers the same', () => {
  it.each(['common', 'odd'] as const)('for %s globs', (pieces) => {
    const many = fc.array(path, { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(glob(pieces), many, fc.boolean(), (text, paths, ignoreCase) => {
        const isMatch = fastGlobMatcher(patternsOf(text), ignoreCase);
        const compiled = [compileGlob(text, { ignoreCase })];
        for (const each of paths) {
          const answer = matchesCompiled(each, compiled);
          if (answer !== 'unknown') expect([each, answer]).toEqual([each, isMatch(each) ? 'yes' : 'no']);
        }
      }),
      { numRuns: 500, seed: Number(process.env.DEVFLOW_TEST_SEED ?? 20_260_103) },
    );
  });
});

/** Of all readings, or of the glob itself where this code cannot expand it. fast-glob throws on some of those. */
function patternsOf(text: string): string[] {
  const readings = globReadings(text);
  if (readings) return expandedReadings(readings);
  const expanded = expandedByFastGlob(text);
  fc.pre(expanded !== undefined);
  return expanded.flatMap((pattern) => [pattern, `${pattern}/**`]);
}
