import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { widthOf } from '../../../cli/client/textWidth.ts';
import { clean } from '../../../tui/text/clean.ts';
import {
  fitWidth,
  head,
  line,
  lineWidth,
  overlayLines,
  span,
  spread,
  tail,
  textOf,
  withStyle,
  wrap,
} from '../../../tui/text/line.ts';

const texts = fc.string({ unit: 'grapheme', maxLength: 40 });
const lines = fc.array(texts, { maxLength: 5 }).map((parts) => line(...parts));

describe('a line', () => {
  it('is cleaned when it is made', () => {
    expect(line('a\u001b[2J', span('\u202eb'), false, undefined, '')).toEqual([
      { text: 'a␛[2J' },
      { text: '<U+202E>b' },
    ]);
  });

  it('has exactly the given width, whatever it contains', () => {
    fc.assert(
      fc.property(lines, fc.nat(60), (given, cells) => {
        expect(lineWidth(fitWidth(given, cells))).toBe(cells);
      }),
    );
  });

  it('is cut with an ellipsis, and drops a wide character that does not fit', () => {
    expect(textOf(fitWidth(line('日本語'), 5))).toBe('日本…');
    expect(textOf(fitWidth(line('日本語'), 4))).toBe('日… ');
    expect(textOf(fitWidth(line('abc'), 5))).toBe('abc  ');
    expect(textOf(fitWidth(line('abc'), 1))).toBe('…');
    expect(fitWidth(line('abc'), 0)).toEqual([]);
  });

  it('equals its head plus its tail, with a space for a halved character', () => {
    expect(textOf(head(line('日', '本'), 3))).toBe('日');
    expect(textOf(tail(line('日', '本x'), 3))).toBe(' x');
    fc.assert(
      fc.property(lines, fc.nat(60), (given, cells) => {
        const rest = lineWidth(tail(given, cells));
        expect(rest).toBe(Math.max(0, lineWidth(given) - cells));
        expect(lineWidth(head(given, cells))).toBeLessThanOrEqual(cells);
      }),
    );
  });

  it('gets a base style under its own', () => {
    expect(withStyle([span('a'), span('b', { fg: 1 })], { fg: 2, bg: 3 })).toEqual([
      { text: 'a', style: { fg: 2, bg: 3 } },
      { text: 'b', style: { fg: 1, bg: 3 } },
    ]);
  });

  it('spreads to both edges, and cuts its left part', () => {
    expect(textOf(spread(line('left side'), line('right'), 10))).toBe('left…right');
    expect(textOf(spread(line('left'), line('right side'), 5))).toBe('righ…');
  });
});

describe('wrapping', () => {
  it('breaks at spaces, or anywhere if there are none', () => {
    expect(wrap('aaa bbb ccc', 7).map(textOf)).toEqual(['aaa bbb', 'ccc']);
    expect(wrap('abcdefghij', 4).map(textOf)).toEqual(['abcd', 'efgh', 'ij']);
    expect(wrap('日本語', 5).map(textOf)).toEqual(['日本', '語']);
    expect(wrap('one\n\ntwo', 9).map(textOf)).toEqual(['one', '', 'two']);
    expect(wrap('日', 1).map(textOf)).toEqual(['日']);
  });

  it('loses only the spaces at breaks, and fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 30 }), (text, cells) => {
        const wrapped = wrap(text, cells).map(textOf);
        for (const each of wrapped) expect(widthOf(each)).toBeLessThanOrEqual(cells);
        const bare = (some: string) => some.replaceAll(' ', '');
        expect(bare(wrapped.join(''))).toBe(bare(text.split('\n').map(clean).join('')));
      }),
    );
  });

  it('wraps a megabyte in time', () => {
    const text = 'ünï wörds '.repeat(100_000);
    // Were it quadratic, as it once was, the test's own time would be up.
    expect(wrap(text, 80).length).toBeGreaterThan(10_000);
  });
});

describe('overlaid lines', () => {
  it('keep the text beside them, and halve no wide character', () => {
    const under = [line('日本語日本語'), line('abcdefghijkl')];
    expect(overlayLines(under, [line('XX')], 0, 3).map(textOf)).toEqual(['日 XX 日本語', 'abcdefghijkl']);
    expect(overlayLines(under, [line('XX'), line('YY')], 1, 10).map(textOf)).toEqual(['日本語日本語', 'abcdefghijXX']);
  });

  it('keep the width of every row', () => {
    fc.assert(
      fc.property(lines, lines, fc.nat(30), (below, above, column) => {
        const under = [fitWidth(below, 60)];
        const [row = []] = overlayLines(under, [fitWidth(above, 20)], 0, column);
        expect(lineWidth(row)).toBe(60);
      }),
    );
  });
});
