import { describe, expect, it } from 'vitest';
import { parsePattern } from '../../../../daemon/core/glob/parsePattern.ts';
import { startOfName } from '../../../../daemon/core/glob/startOfName.ts';

describe('the start of the last segment', () => {
  it.each([
    ['src/index.ts', 'index.ts'],
    ['src/**/feature.*.ts', 'feature.'],
    ['**/*.ts', ''],
    ['src/a*b', 'a'],
    ['src/a?b', 'a'],
    ['src/[ab]c', ''],
    ['src/**', ''],
    ['src/lib/**', ''],
    ['*/a.ts', 'a.ts'],
    ['readme*', 'readme'],
    ['src/(a|b)c.ts', ''],
    ['src/a[/]b', ''],
  ])('of %s is %j', (pattern, start) => {
    expect(startOfName(parsePattern(pattern) ?? [])).toBe(start);
  });
});
