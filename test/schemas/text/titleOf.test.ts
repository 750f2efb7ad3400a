import { describe, expect, test } from 'vitest';
import { TITLE_LENGTH, titleFrom, titleOf } from '../../../schemas/text/titleOf.ts';
import { visible } from '../../../schemas/text/visible.ts';

describe('the title of requirements', () => {
  test.each([
    ['a heading', '# Greet by name\n\nAnd without one.', 'Greet by name'],
    ['a list', '- first\n- second', 'first'],
    ['a quote', '> > said', 'said'],
    ['CRLF and a tab', '\r\n\t\r\n*  Greet\tby  name \r\nmore', 'Greet by name'],
    ['a separator of lines', 'One\u2028two', 'One'],
    ['a rule first', '---\n***\nGreet', 'Greet'],
    ['a fence first', '```ts\n```\nGreet', 'Greet'],
    ['emoji', '🎉 Release', '🎉 Release'],
    ['an emoji alone', '🎉', '🎉'],
    ['right to left', 'שלום עולם', 'שלום עולם'],
    ['only signs', '...\n!?', 'Work of devflow'],
    ['only what nobody sees', '\u200b\n\u202e', 'Work of devflow'],
    ['nothing', '', 'Work of devflow'],
    ['a half of a character', 'A\ud800', 'A\ufffd'],
    ['NUL', 'a\0b', 'a b'],
  ])('%s', (_, text, title) => expect(titleOf(text)).toBe(title));

  test('is cut between two words, and never inside a character', () => {
    const words = titleOf(`${'word '.repeat(40)}`);
    expect(words).toBe(`${'word '.repeat(14).trim()}…`);
    const emoji = titleOf(`x${'🎉'.repeat(200)}`);
    expect(emoji).toBe(`x${'🎉'.repeat(35)}…`);
    expect(emoji.length).toBeLessThanOrEqual(TITLE_LENGTH);
  });

  test('does not depend on more than the beginning of a text', () => {
    const huge = `Greet ${'x'.repeat(5 * 1024 * 1024)}`;
    expect(titleOf(huge)).toBe(titleOf(huge.slice(0, 2000)));
    expect(titleOf(`${' '.repeat(5 * 1024 * 1024)}late`)).toBe('Work of devflow');
  });
});

describe("an agent's title", () => {
  test.each([
    ['no text', 7, undefined],
    ['nothing', '   ', undefined],
    ['only what nobody sees', '\u200b\u200b', undefined],
    ['only signs', '#[]()', undefined],
    ['two lines', 'Greet\nDevflow-Run: x', 'Greet Devflow-Run: x'],
    ['NUL', 'Greet\0by name', 'Greet by name'],
  ])('%s', (_, given, title) => expect(titleFrom(given)).toBe(title));

  test('keeps what it claims to be, and shows each character', () => {
    const hostile = '#(rm -rf ~) #[fg=red] %s \u001b]52;c;aGk=\u0007 approved ✓ \u202e';
    expect(titleFrom(hostile)).toBe(hostile.trim());
    expect(visible(titleFrom(hostile) ?? '')).toBe('#(rm -rf ~) #[fg=red] %s ␛]52;c;aGk=␇ approved ✓ <U+202E>');
  });
});
