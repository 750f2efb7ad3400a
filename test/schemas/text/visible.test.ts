import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visible, visibleJson } from '../../../schemas/text/visible.ts';

/** Text as an attacker writes it: sequences, controls and characters that are not seen, between letters. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 10 }),
      fc.constantFrom('\u001b]8;;http://x\u0007', '\u001b]52;c;aGk=\u0007', '\u009b2J', '\r', '\b', '\t', '\n', '\r\n'),
      fc.constantFrom('\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\u{e0041}', '\ufe0f', '\u00ad', '\ud83d'),
      fc.constantFrom('⌚', '⚠️', '👨‍👩‍👧', '🇩🇪', 'e\u0301', '日本', '\u0301', '\u3164', '\u00a0', '\u2800', '\u2028'),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

/** What no reader sees, and what moves a cursor. */
const NOT_SEEN = /[[\p{Cc}\p{Cf}\p{Cs}\p{Cn}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]--[\n\x20]]/v;

describe('visible text', () => {
  it.each([
    ['an OSC title', 'a\u001b]0;title\u0007b', 'a␛]0;title␇b'],
    ['a hyperlink', '\u001b]8;;http://evil\u001b\\x', '␛]8;;http://evil␛\\x'],
    ['C1 controls', 'a\u009b2J\u0085b', 'a<U+009B>2J<U+0085>b'],
    ['bidi controls', '\u202Eevil\u2066\u200f\u061c', '<U+202E>evil<U+2066><U+200F><U+061C>'],
    ['zero width', 'pay\u200bpal\u00ad\ufeff\u2060', 'pay<U+200B>pal<U+00AD><U+FEFF><U+2060>'],
    ['tag characters', 'x\u{e0041}', 'x<U+E0041>'],
    ['a variation selector', 'x\ufe0f\u{e0100}', 'x<U+FE0F><U+E0100>'],
    ['a carriage return and a backspace', 'bad()\rgood()\b\b', 'bad()␍good()␈␈'],
    ['a tab, a newline and a delete', 'a\tb\nc\u007f', 'a␉   b␊c␡'],
    ['blanks that are no space', 'a\u00a0b\u3000c\u2800', 'a<U+00A0>b<U+3000>c<U+2800>'],
    ['half a pair', '\ud83d!', '<U+D83D>!'],
    ['marks without a letter', '\u0301\u001b\u0301', '<U+0301>␛<U+0301>'],
    [
      'letters of people',
      'Żółć e\u0301 日本 한글 हिन्दी עברית 🇩🇪 ⚠️ 👨‍👩‍👧',
      'Żółć e\u0301 日本 한글 हिन्दी עברית 🇩🇪 ⚠️ 👨‍👩‍👧',
    ],
  ])('shows %s', (_, text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('keeps the newlines of a text', () => {
    expect(visible('a\r\n\tb\n', 'text')).toBe('a␍\n␉   b\n');
  });

  it('splits emoji in code', () => {
    expect(visible('👩‍💻 ⚠️', 'code')).toBe('👩<U+200D>💻 ⚠<U+FE0F>');
  });

  it('shows every mark that a terminal would drop', () => {
    expect(visible(`z${'\u0335'.repeat(8)}`)).toBe(`z${'\u0335'.repeat(6)}<U+0335><U+0335>`);
  });

  it.each(['line', 'text', 'code'] as const)('as %s has no invisible characters, for any text', (as) => {
    fc.assert(
      fc.property(hostile, (text) => {
        const shown = visible(text, as);
        const pictures = as === 'code' ? shown : shown.replaceAll(/\p{RGI_Emoji}/gv, '');
        expect(pictures).not.toMatch(NOT_SEEN);
        if (as === 'line') expect(shown).not.toContain('\n');
      }),
    );
  });

  it.each(['line', 'text', 'code'] as const)('as %s shows every code point, in order', (as) => {
    fc.assert(
      fc.property(hostile, (text) => {
        let rest = visible(text, as);
        for (const character of text) {
          const shown = [character, visible(character), visible(character, 'code')].find((sign) =>
            rest.startsWith(sign),
          );
          expect(shown, `${JSON.stringify(character)} before ${JSON.stringify(rest)}`).toBeDefined();
          rest = rest.slice(shown?.length);
        }
        expect(rest).toBe('');
      }),
    );
  });

  it('is visible already', () => {
    fc.assert(fc.property(hostile, (text) => visible(visible(text)) === visible(text)));
  });
});

describe('visible JSON', () => {
  it('is the same value without invisible characters', () => {
    fc.assert(
      fc.property(hostile, fc.constantFrom(undefined, 2), (text, indent) => {
        const json = visibleJson({ [text]: text }, indent);
        expect(JSON.parse(json)).toEqual({ [text]: text });
        expect(json).not.toMatch(NOT_SEEN);
      }),
    );
  });
});
