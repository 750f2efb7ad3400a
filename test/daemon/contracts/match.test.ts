import { describe, expect, it } from 'vitest';
import { createMatcher } from '../../../daemon/contracts/match.ts';

describe('HC-5.4: the patterns of a plan', () => {
  it('find the first text from an index on', () => {
    const find = createMatcher();
    expect(find('^feat', ['fix', 'feat: a', 'feat: b'], 0)).toBe(1);
    expect(find('^feat', ['fix', 'feat: a', 'feat: b'], 2)).toBe(2);
    expect(find('^docs', ['fix'], 0)).toBe(-1);
    expect(find('^docs', [], 0)).toBe(-1);
  });
  it('are given up when they take too long, and each one has its own time', () => {
    const find = createMatcher();
    expect(find('^(a+)+$', [`${'a'.repeat(60)}!`], 0)).toBe('unchecked');
    expect(find('^a', ['abc'], 0)).toBe(0);
  });
  it('are not tried once all together took too long', () => {
    const find = createMatcher();
    const slow = Array.from({ length: 12 }, () => find('^(a+)+$', [`${'a'.repeat(60)}!`], 0));
    expect(new Set(slow)).toEqual(new Set(['unchecked']));
    expect(find('^a', ['abc'], 0)).toBe('unchecked');
  });
  it('see the first 1,000 characters', () => {
    const find = createMatcher();
    expect(find('x', [`${'a'.repeat(999)}x`], 0)).toBe(0);
    expect(find('x', [`${'a'.repeat(1000)}x`], 0)).toBe(-1);
  });
  it('cannot leave their sandbox, and a text that is no pattern is unchecked', () => {
    expect(createMatcher()('(', ['('], 0)).toBe('unchecked');
    expect(createMatcher()('process', ['process'], 0)).toBe(0);
    expect(createMatcher()('constructor', ['x'], 0)).toBe(-1);
  });
});
