import { describe, expect, it } from 'vitest';
import { fuzzy, rank } from '../../../tui/overlays/fuzzy.ts';

describe('fuzzy', () => {
  it('finds letters in their order, in any case, and nothing else', () => {
    expect(fuzzy('rc', 'request changes')).toBeDefined();
    expect(fuzzy('RC', 'request changes')).toBeDefined();
    expect(fuzzy('cr', 'request')).toBeUndefined();
    expect(fuzzy('', 'anything')).toBe(0);
  });

  it('prefers adjacent letters and beginnings of words', () => {
    expect(rank('ap', ['snap', 'a map', 'approve'], (text) => text)[0]).toBe('approve');
    expect(rank('rc', ['arch', 'request changes'], (text) => text)[0]).toBe('request changes');
  });

  it('prefers the name to the explanation, and keeps the order of equal matches', () => {
    const items = [
      { name: 'quit', about: 'opens nothing' },
      { name: 'open', about: 'x' },
    ];
    const found = rank(
      'open',
      items,
      ({ name }) => name,
      ({ about }) => about,
    );
    expect(found.map(({ name }) => name)).toEqual(['open', 'quit']);
    expect(rank('', items, ({ name }) => name)).toEqual(items);
    expect(rank('a', ['ab', 'ac'], (text) => text)).toEqual(['ab', 'ac']);
  });
});
