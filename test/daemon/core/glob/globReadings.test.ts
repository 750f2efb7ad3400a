import { describe, expect, it } from 'vitest';
import { globReadings } from '../../../../daemon/core/glob/globReadings.ts';

const patternsOf = (glob: string) => globReadings(glob)?.map(({ pattern }) => pattern);
const insideOf = (glob: string) => globReadings(glob)?.flatMap(({ inside }) => inside ?? []);

describe('the readings of a glob', () => {
  it.each([
    ['src/*.ts', ['src/*.ts']],
    ['{a,b}/*', ['a/*', 'b/*']],
    ['app/[id]/*', ['app/[id]/*']],
    ['app/[...slug]/*', ['app/[...slug]/*', 'app/\\[...slug\\]/*']],
    ['[[...a]]/[0-9]*', ['[[...a]]/[0-9]*', '\\[\\[...a\\]\\]/[0-9]*', '\\[\\[...a\\]\\]/\\[0-9\\]*']],
    ['app/(auth)/*', ['app/(auth)/*', 'app/\\(auth\\)/*']],
    ['{{name}}/*', ['{{name}}/*', '\\{\\{name\\}\\}/*']],
    ['\\[a\\]/*', ['\\[a\\]/*']],
    ['src/@(a|b)/*', ['src/@(a|b)/*']],
    ['./a//b/*', ['a/b/*']],
    ['{./a/,b}/*', ['a/*', 'b/*']],
  ])('%s', (glob, expected) => {
    expect(patternsOf(glob)).toEqual(expected);
  });

  it('have what is in a directory, if the last segment has no wildcard', () => {
    expect(insideOf('src/auth')).toEqual(['src/auth/**']);
    expect(insideOf('src/*/auth')).toEqual(['src/*/auth/**']);
    expect(insideOf('src/\\*')).toEqual(['src/\\*/**']);
    expect(insideOf('src/{auth,*.ts}')).toEqual(['src/auth/**']);
    expect(insideOf('src/*')).toEqual([]);
    expect(insideOf('src/**')).toEqual([]);
  });

  it('take a slash at the end for all that is below', () => {
    expect(patternsOf('{src/,lib}')).toEqual(['src/**', 'lib']);
    expect(patternsOf('{./,lib/a}')).toEqual(['**', 'lib/a']);
  });

  it('do not exist of a glob that stands for too much', () => {
    expect(globReadings('{1..100000}')).toBeUndefined();
  });
});
