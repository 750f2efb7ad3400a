import { expect, test } from 'vitest';
import { type Signal, weighEvidence } from '../../../../../daemon/sessions/tmux/profile/evidence.ts';
import { lastWords, wordsSaid } from '../../../../../daemon/sessions/tmux/stall/lastWords.ts';

const status = (...signals: Signal[]) => weighEvidence(signals, { steady: 1_000, wall: 1_000 });
const ends = (words?: string): Signal => ({
  source: 'hook',
  says: 'READY',
  at: 1,
  fact: 'READY',
  endsTurn: true,
  words,
});
const RULE = '─'.repeat(40);
const screen = {
  lines: ['● \u001b[1mWhich database\u001b[0m', '  should I use?', '', RULE, '❯ ', RULE, '  ? for shortcuts'],
};

test('are what the program reports', () => {
  expect(lastWords(status(ends('Which\n\nway?')), screen, 0)).toBe('Which way?');
});

test('are else the rows above the composer', () => {
  expect(lastWords(status(ends()), screen, 0)).toBe('● Which database should I use?');
  expect(lastWords(status(ends()), { lines: ['Which one?', '> '] }, 0)).toBe('Which one? >');
  expect(lastWords(status(ends()), { lines: ['Do it.', 'DEVFLOW_PROMPT_END 1', 'Which one?'] }, 0)).toBe('Which one?');
  expect(lastWords(status(ends()), { lines: [] }, 0)).toBe('it said nothing');
});

test('are those of this turn', () => {
  expect(lastWords(status(ends('Which way?')), screen, 2)).toBe('● Which database should I use?');
});

test('are one line without control characters, direction marks and secrets', () => {
  expect(lastWords(status(ends('a\u001b[31mb\u0007\u202ec\td')), screen, 0)).toBe('a b c d');
  expect(lastWords(status(ends(`use https://me:${'s'.repeat(20)}@host`)), screen, 0)).not.toContain('sss');
});

test('are bounded; the end stays', () => {
  const said = lastWords(status(ends(`${'word '.repeat(500)}Which one?`)), screen, 0);
  expect([...said].length).toBe(600);
  expect(said).toMatch(/^….*Which one\?$/);
});

test('are read in lines, with their origin', () => {
  expect(wordsSaid(status(ends('Two ways:\r\n- a\n- b')), screen)).toEqual({
    text: 'Two ways:\n- a\n- b',
    at: 1,
    by: 'record',
  });
  expect(wordsSaid(status(ends()), screen)).toMatchObject({ text: '● Which database\nshould I use?', by: 'screen' });
  expect(wordsSaid(status(ends()), { lines: [] })).toBeUndefined();
});

test('are read as text that a terminal shows: bounded, without secrets and control characters', () => {
  const read = (words: string) => wordsSaid(status(ends(words)), screen)?.text ?? '';
  const shown = read('a\u001b[31mb\u0007\u202ec\n\u001b]0;title\u0007d');
  for (const sign of ['\u001b', '\u0007', '\u202e']) expect(shown).not.toContain(sign);
  expect(read(`use\nhttps://me:${'s'.repeat(20)}@host`)).not.toContain('sss');
  const long = read(`${'ä'.repeat(20_000)}\nWhich one?`);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(16 * 1024);
  expect(long).toMatch(/^ä.*\nWhich one\?$/s);
});
