import { describe, expect, it } from 'vitest';
import { anchorAt, anchorQuote } from '../../../../daemon/core/place/anchor.ts';

/** 60 lines, each with its number, but for some. */
function given(texts: Readonly<Record<number, string>> = {}, count = 60): string[] {
  return Array.from({ length: count }, (_, at) => texts[at + 1] ?? `line ${at + 1};`);
}
const lineOf = (lines: readonly string[], line: number, quote: string) => anchorQuote(lines, { line, quote })?.line;

describe('a quote is found', () => {
  it('at its line, though it stands elsewhere too', () => {
    expect(lineOf(given({ 5: 'same();', 8: 'same();', 40: 'same();' }), 40, 'same();')).toBe(40);
  });

  it('where it stands once, however far from its line', () => {
    expect(lineOf(given(), 1, 'line 60;')).toBe(60);
    expect(lineOf(given(), 999, 'line 60;')).toBe(60);
  });

  it('at the nearest of several places within twenty lines', () => {
    const lines = given({ 5: 'same();', 8: 'same();', 40: 'same();' });
    expect(lineOf(lines, 9, 'same();')).toBe(8);
    expect(lineOf(lines, 28, 'same();')).toBe(40);
    expect(lineOf(given({ 1: 'same();', 50: 'same();' }), 25, 'same();')).toBeUndefined();
  });

  it('as a part of a line', () => {
    expect(lineOf(given({ 7: '  if (a && b) return;' }), 3, 'a && b')).toBe(7);
  });

  it('over several lines, whatever their white space', () => {
    const lines = given({ 7: 'const a = f(', 8: '', 9: '\tone,  two', 10: ');' });
    expect(lineOf(lines, 7, 'f(\n  one, two\n);')).toBe(7);
    expect(lineOf(lines, 30, '  const a = f(\r\n one, two')).toBe(7);
    expect(lineOf(lines, 7, 'f(\n one, three')).toBeUndefined();
  });

  it('at its first line, where a part of it begins twice', () => {
    expect(lineOf(given({ 7: 'x x', 8: 'y' }), 20, 'x\ny')).toBe(7);
    expect(lineOf(given({ 6: 'a a b', 7: 'c' }), 20, 'a b c')).toBe(6);
  });

  it('nowhere if it is blank or goes on behind the end of the file', () => {
    expect(anchorQuote(given(), { line: 1, quote: ' \n ' })).toBeNull();
    expect(anchorQuote(given(), { line: 60, quote: 'line 60;\nline 61;' })).toBeNull();
    expect(anchorQuote([], { line: 1, quote: 'a' })).toBeNull();
  });
});

describe('the anchor of a line', () => {
  it('has the first hundred characters from there without white space', () => {
    const text = anchorAt(given(), 10)?.text;
    expect(text).toHaveLength(100);
    expect(text).toMatch(/^line10;line11;line12;/);
    expect(anchorAt(given(), 60)?.text).toBe('line60;');
  });

  it('counts the places with the same text', () => {
    const block = Array.from({ length: 15 }, (_, at) => `  statement ${at};`);
    const lines = [...block, '', ...block, '', ...block.slice(0, 3)];
    expect(anchorAt(lines, 1)?.occurrence).toBe(1);
    expect(anchorAt(lines, 17)).toMatchObject({ text: anchorAt(lines, 1)?.text, occurrence: 2 });
    expect(anchorAt(lines, 33)?.occurrence).toBe(1);
  });

  it('does not depend on white space', () => {
    const lines = given({ 7: '\t\tcall( one )' });
    expect(anchorAt(lines, 7)?.text).toBe(anchorAt(given({ 7: 'call(one)' }), 7)?.text);
  });

  it('cuts no character in two and has no NUL', () => {
    expect(anchorAt(['😀'.repeat(150)], 1)?.text).toBe('😀'.repeat(100));
    expect(anchorAt(['a\0b'], 1)?.text).toBe('ab');
  });

  it('is null for a blank line and outside of the file', () => {
    expect([anchorAt(['a', ' '], 2), anchorAt(['a'], 2), anchorAt(['a'], 0)]).toEqual([null, null, null]);
  });

  it('is found in a file of 50,000 equal lines', () => {
    const lines = Array.from({ length: 50_000 }, () => '  push(value);');
    expect(anchorQuote(lines, { line: 40_000, quote: 'push(value);\n'.repeat(50) })).toMatchObject({
      line: 40_000,
      occurrence: 40_000,
    });
  });
});
