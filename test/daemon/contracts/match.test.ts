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
  it('take time in proportion to the text', () => {
    const find = createMatcher();
    expect(find('^(a+)+$', [`${'a'.repeat(60)}!`, 'aaa'], 0)).toBe(1);
    expect(find('^a(?=b)', ['abc'], 0)).toBe('unchecked');
    expect(find('^a', ['abc'], 0)).toBe(0);
  });
  it('are not tried once all together took too many steps', () => {
    const find = createMatcher();
    const texts = Array.from({ length: 100 }, () => 'b'.repeat(1000));
    expect(find('^a{1000}$', texts, 0)).toBe('unchecked');
    expect(find('^b', texts, 0)).toBe('unchecked');
    expect(createMatcher()('^b', texts, 0)).toBe(0);
  });
  it('may be too large', () => {
    expect(createMatcher()('a'.repeat(1001), ['b'], 0)).toBe('unchecked');
    expect(createMatcher()('a{1001}', ['b'], 0)).toBe('unchecked');
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
