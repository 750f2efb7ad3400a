import { expect, test } from 'vitest';
import { SCREEN_KEYS } from '../../../tui/screens/index.ts';
import { givenModel, press, seen } from '../given.ts';

test('says what devflow is, its keys in tmux, and what the states mean', () => {
  const all = seen(givenModel({ screen: 'help' }, { columns: 100, rows: 230 }));
  for (const part of [
    'What devflow is',
    'prefix F',
    '? decision',
    '! needs you',
    '● validating',
    'asks for permission',
  ]) {
    expect(all).toContain(part);
  }
});

test('names the key of every screen that has one', () => {
  const all = seen(givenModel({ screen: 'help' }, { columns: 100, rows: 220 }));
  for (const { keys, label } of SCREEN_KEYS)
    expect(all).toMatch(new RegExp(`^ *${keys.join(', ')} +open ${label}$`, 'm'));
});

test('the footer names the keys that end the typing of a search', () => {
  const { model } = press(givenModel({ screen: 'help' }), '/', 's');
  expect(seen(model).split('\n').at(-1)?.trim()).toBe('Enter keep  Esc clear');
});
