import { expect, test } from 'vitest';
import { firstSentence } from '../../../schemas/text/firstSentence.ts';

test.each([
  ['one sentence', 'Greet takes a name.', 'Greet takes a name'],
  ['two sentences', 'Greet takes a name. Without one it is as before.', 'Greet takes a name'],
  ['no period', 'Greet takes a name', 'Greet takes a name'],
  ['an abbreviation', 'Names, e.g. Ada, are greeted. Tests pass.', 'Names, e.g. Ada, are greeted'],
  ['a version', 'Version v1.2 is read. More.', 'Version v1.2 is read'],
  ['a file', 'Changed greet.ts and its test. Done.', 'Changed greet.ts and its test'],
  ['a small letter after a period', 'Uses x. y stays. Then', 'Uses x. y stays'],
  ['another mark', 'Works now! See below.', 'Works now!'],
  ['CJK', '名前で挨拶する。テストも追加した。', '名前で挨拶する'],
  ['lines of one paragraph', 'Greet takes\na name.\n\nMore.', 'Greet takes a name'],
  ['a heading first', '## Summary\n\nGreet takes a name.', 'Greet takes a name'],
  ['a list', '- Greet takes a name\n- tests', 'Greet takes a name'],
  ['code first', '```sh\nnpm test\n```\nGreet takes a name.', 'Greet takes a name'],
  ['only code', '```\nnpm test.\n```', undefined],
  ['only a heading', '# Summary', undefined],
  ['backticks and a shell', '`greet` says $(name). More.', '`greet` says $(name)'],
  ['nothing', '  \n', undefined],
  ['only signs', '…', undefined],
  ['a trailer', 'Devflow-Run: 3f9a1c2d', undefined],
  ['a command for a rebase', 'fixup! Base', undefined],
])('%s', (_, summary, sentence) => expect(firstSentence(summary)).toBe(sentence));

test('is cut to the length of a subject', () => {
  expect(firstSentence('word '.repeat(100))).toBe(`${'word '.repeat(14).trim()}…`);
  expect(firstSentence('x'.repeat(5 * 1024 * 1024))?.length).toBe(72);
});
