import { expect, test } from 'vitest';
import { type Field, field } from '../../../tui/model/field.ts';
import { linesOf, typedLines } from '../../../tui/model/fieldLines.ts';

const after = (start: Field, ...keys: string[]): Field =>
  keys.reduce((before, key) => typedLines(before, key) ?? before, start);

test('Ctrl-J begins a new line at the cursor', () => {
  const typed = after(field('one'), 'C-j', 't', 'w', 'o');
  expect(typed).toEqual(field('one\ntwo'));
  expect(linesOf(typed)).toEqual({ lines: ['one', 'two'], row: 1, column: 3 });
  expect(after(field('ab'), 'left', 'C-j').text).toBe('a\nb');
});

test('up and down go from line to line, and stay inside', () => {
  const typed = field('日本語\nb');
  expect(linesOf(after(typed, 'up'))).toMatchObject({ row: 0, column: 1 });
  expect(linesOf(after(typed, 'up', 'up', 'end', 'down'))).toMatchObject({ row: 1, column: 1 });
  expect(after(typed, 'down')).toEqual(typed);
});

test('keys of the line leave the other lines alone', () => {
  const typed = after(field('one\ntwo\nsix'), 'up');
  expect(after(typed, 'C-u').text).toBe('one\n\nsix');
  expect(after(typed, 'home', 'C-k').text).toBe('one\n\nsix');
  expect(after(typed, 'home', 'backspace').text).toBe('onetwo\nsix');
});
