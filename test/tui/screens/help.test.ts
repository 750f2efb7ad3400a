import { expect, test } from 'vitest';
import { givenModel, seen } from '../given.ts';

test('says what devflow is, its keys in tmux, and what the states mean', () => {
  const all = seen(givenModel({ screen: 'help' }, { columns: 100, rows: 120 }));
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
