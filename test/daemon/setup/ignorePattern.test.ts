import { describe, expect, it } from 'vitest';
import { isSelected, leadsInto, readPattern } from '../../../daemon/setup/ignorePattern.ts';

const patternsOf = (...lines: string[]) => lines.flatMap((line) => readPattern(line) ?? []);
const selects = (lines: string[], path: string) =>
  isSelected(patternsOf(...lines), path.replace(/\/$/, '').split('/'), path.endsWith('/'));

describe('a pattern of an ignore file', () => {
  it.each([
    ['.env', '.env', true],
    ['.env', 'a/b/.env', true],
    ['/.env', 'a/.env', false],
    ['a/.env', 'b/a/.env', false],
    ['a/.env', 'a/.env', true],
    ['dir/', 'dir', false],
    ['dir/', 'dir/', true],
    ['dir/', 'x/dir/file', true],
    ['*.local.json', 'config/a.local.json', true],
    ['config/*.json', 'config/sub/a.json', false],
    ['config/**/*.json', 'config/a.json', true],
    ['config/**/*.json', 'config/a/b/c.json', true],
    ['**/x/y', 'x/y', true],
    ['a/**', 'a/', false],
    ['a/**', 'a/b/c', true],
    ['a**b', 'axb', true],
    ['a**b', 'a/b', false],
    ['?.txt', 'a.txt', true],
    ['?.txt', 'ab.txt', false],
    ['[a-c]', 'b', true],
    ['[!a-c]', 'b', false],
    ['[^a-c]', 'd', true],
    ['[]a]', ']', true],
    ['[[:digit:]x]', '7', true],
    ['[a', '[a', false],
    ['\\*', '*', true],
    ['\\*', 'a', false],
    ['\\#x', '#x', true],
    ['\\!x', '!x', true],
    ['a\\ ', 'a ', true],
    ['a  ', 'a', true],
    ['a\r', 'a', true],
    ['# x', '# x', false],
    ['', '', false],
    ['//', 'a', false],
    ['a//b', 'a/b', false],
  ])('%j on %j: %s', (line, path, expected) => expect(selects([line], path)).toBe(expected));

  it('is outweighed by a later one, but not inside a selected directory', () => {
    expect(selects(['*.env', '!b.env'], 'b.env')).toBe(false);
    expect(selects(['!b.env', '*.env'], 'b.env')).toBe(true);
    expect(selects(['dir/', '!dir/b'], 'dir/b')).toBe(true);
  });

  it('leads into the directories that it names, and into no others', () => {
    expect(leadsInto(patternsOf('config/*.json'), ['config'])).toBe(true);
    expect(leadsInto(patternsOf('a*/b/c'), ['ab', 'b'])).toBe(true);
    expect(leadsInto(patternsOf('config/**/x'), ['config', 'a', 'b'])).toBe(true);
    expect(leadsInto(patternsOf('config'), ['config'])).toBe(false);
    expect(leadsInto(patternsOf('.env', '**/x', '!config/y'), ['config'])).toBe(false);
    expect(leadsInto(patternsOf('config/x'), ['other'])).toBe(false);
  });

  it('takes time in proportion to its length', () => {
    expect(selects([`${'*a'.repeat(2000)}b`], 'a'.repeat(20_000))).toBe(false);
    expect(selects([`${'**/a/'.repeat(500)}b`], 'a/'.repeat(2000))).toBe(false);
  });
});
