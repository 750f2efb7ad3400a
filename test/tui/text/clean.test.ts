import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, widthOf } from '../../../cli/client/textWidth.ts';
import { clean } from '../../../tui/text/clean.ts';

describe('clean text', () => {
  it.each([
    ['plain', 'plain'],
    ['tab\there', 'tab␉   here'],
    ['two\nlines\r\nand more', 'two␊lines␍␊and more'],
    ['\u001b[31mred\u001b[0m', '␛[31mred␛[0m'],
    ['\u001b]0;title\u0007x', '␛]0;title␇x'],
    ['a\u0007b\u0000c\u007fd\u009b2Je', 'a␇b␀c␡d<U+009B>2Je'],
    ['\u202egpj.exe', '<U+202E>gpj.exe'],
    ['a\u2066b\u2069c\u200fd', 'a<U+2066>b<U+2069>c<U+200F>d'],
    [
      'soft\u00adhyphen, zero\u200bwidth, word\u2060joiner',
      'soft<U+00AD>hyphen, zero<U+200B>width, word<U+2060>joiner',
    ],
    ['e\u0301', 'é'],
    ['\u0301alone', '<U+0301>alone'],
    ['👨‍👩‍👧 family', '👨 family'],
    ['👍🏽 skin', '👍 skin'],
    ['🇩🇪 flag', 'DE flag'],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} England', '🏴 England'],
    ['❤️ and ⚠️', '❤ and ⚠'],
    ['1️⃣ key', '1\u20e3 key'],
    ['half \ud83d of a pair', 'half <U+D83D> of a pair'],
    ['한글', '한글'],
  ])('of %j is %j', (text, expected) => {
    expect(clean(text)).toBe(expected);
  });

  it('keeps a few marks on one letter, and shows the others', () => {
    expect(clean(`z${'\u0335'.repeat(8)}!`)).toBe(`z${'\u0335'.repeat(6)}<U+0335><U+0335>!`);
  });

  const anything = fc.string({ unit: 'binary', maxLength: 60 });

  it('is clean already', () => {
    fc.assert(fc.property(anything, (text) => clean(clean(text)) === clean(text)));
  });

  it('contains nothing that moves the cursor, changes direction or is half a character', () => {
    fc.assert(
      fc.property(anything, (text) => {
        const result = clean(text);
        return !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(result) && result.isWellFormed();
      }),
    );
  });
});

describe('width', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['äöü', 3],
    ['日本', 4],
    ['한글', 4],
    ['👍', 2],
    ['❤', 1],
    ['│─╭', 3],
    ['ｆｕｌｌ', 8],
    ['x\u0323', 1],
  ])('of %j is %i', (text, cells) => {
    expect(widthOf(clean(text))).toBe(cells);
  });

  it('of both parts after a cut is the width of the whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(50), (raw, cells) => {
        const text = clean(raw);
        const first = cut(text, cells);
        expect(first.width).toBe(widthOf(first.text));
        expect(first.width).toBeLessThanOrEqual(cells);
        expect(first.width + widthOf(text.slice(first.text.length))).toBe(widthOf(text));
        expect(text.startsWith(first.text)).toBe(true);
      }),
    );
  });

  it('never halves a wide character, and keeps a mark on its letter', () => {
    expect(cut('日本', 3)).toEqual({ text: '日', width: 2 });
    expect(cut('ax\u0323b', 2)).toEqual({ text: 'ax\u0323', width: 2 });
    expect(cut('abc', 0)).toEqual({ text: '', width: 0 });
  });
});
