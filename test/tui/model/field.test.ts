import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Field, field, typed } from '../../../tui/model/field.ts';

const KEYS = ['left', 'right', 'home', 'end', 'backspace', 'delete', 'C-u', 'C-k', 'C-w', 'C-a', 'C-e', 'C-d'];
const through = (start: Field, ...keys: string[]) =>
  keys.reduce((present, key) => typed(present, key) ?? present, start);

describe('a field', () => {
  it('inserts letters at the cursor, wide ones and emoji too', () => {
    expect(through(field('ac'), 'left', 'b')).toEqual({ text: 'abc', at: 2 });
    expect(through(field(), '日', '👍', 'left', 'x')).toEqual({ text: '日x👍', at: 2 });
  });

  it('deletes letters, words and everything on either side', () => {
    expect(through(field('one two'), 'C-w')).toEqual({ text: 'one ', at: 4 });
    expect(through(field('one two  '), 'C-w')).toEqual({ text: 'one ', at: 4 });
    expect(through(field('one two'), 'home', 'delete', 'C-d')).toEqual({ text: 'e two', at: 0 });
    expect(through(field('one two'), 'left', 'C-u')).toEqual({ text: 'o', at: 0 });
    expect(through(field('one two'), 'home', 'right', 'C-k')).toEqual({ text: 'o', at: 1 });
    expect(through(field('👍'), 'backspace')).toEqual({ text: '', at: 0 });
  });

  it('ignores keys that are not text', () => {
    for (const key of ['f5', 'tab', 'enter', 'escape', 'C-x', 'S-tab']) expect(typed(field('a'), key)).toBeUndefined();
  });

  it('keeps its cursor within its text, whatever is pressed', () => {
    const keys = fc.array(
      fc.oneof(fc.constantFrom(...KEYS), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
    );
    fc.assert(
      fc.property(keys, (pressed) => {
        const { text, at } = through(field('start'), ...pressed);
        return at >= 0 && at <= [...text].length;
      }),
    );
  });
});
