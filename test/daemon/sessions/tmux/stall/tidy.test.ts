import { expect, test } from 'vitest';
import { beginningOf, endOf, MOST_CHARACTERS, tidy } from '../../../../../daemon/sessions/tmux/stall/tidy.ts';

test('what an agent wrote becomes one line that a database takes', () => {
  const written = 'Which\u0000 one?\r\n\u001b[31m \ud800 or\u202e this';
  expect(tidy(written)).toBe('Which one? \ufffd or this');
});

test('a text of the greatest length stays, and of a longer one the beginning or the end', () => {
  const whole = 'é'.repeat(MOST_CHARACTERS);
  expect([beginningOf(whole), endOf(whole)]).toEqual([whole, whole]);
  const cut = 'é'.repeat(MOST_CHARACTERS - 1);
  expect(beginningOf(`${whole}b`)).toBe(`${cut}…`);
  expect(endOf(`a${whole}`)).toBe(`…${cut}`);
});
