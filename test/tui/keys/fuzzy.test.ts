import { describe, expect, it } from 'vitest';
import { fuzzy, ranked } from '../../../tui/keys/fuzzy.ts';

describe('fuzzy', () => {
  it('finds letters in their order, whatever their case, and nothing else', () => {
    expect(fuzzy('rc', 'request changes')).toBeDefined();
    expect(fuzzy('RC', 'request changes')).toBeDefined();
    expect(fuzzy('cr', 'request')).toBeUndefined();
    expect(fuzzy('', 'anything')).toBe(0);
  });

  it('prefers what follows each other, and beginnings of words', () => {
    expect(ranked('ap', ['snap', 'a map', 'approve'], (text) => text)[0]).toBe('approve');
    expect(ranked('rc', ['arch', 'request changes'], (text) => text)[0]).toBe('request changes');
  });

  it('prefers the name to the explanation, and keeps the order of what is alike', () => {
    const items = [
      { name: 'quit', about: 'opens nothing' },
      { name: 'open', about: 'x' },
    ];
    const found = ranked(
      'open',
      items,
      ({ name }) => name,
      ({ about }) => about,
    );
    expect(found.map(({ name }) => name)).toEqual(['open', 'quit']);
    expect(ranked('', items, ({ name }) => name)).toEqual(items);
    expect(ranked('a', ['ab', 'ac'], (text) => text)).toEqual(['ab', 'ac']);
  });
});
