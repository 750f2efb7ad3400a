import { expect, test } from 'vitest';
import { aboveScissors, commentDraft, SCISSORS } from '../../../cli/client/scissors.ts';

const draft = (begun?: string) => commentDraft('Accept it?', '# The plan\n\u001b[31mred\n', begun);

test('leaves the draft empty above the scissors, and shows the subject below', () => {
  expect(draft().startsWith(`\n${SCISSORS}\n`)).toBe(true);
  expect(draft()).toContain('# The plan');
  expect(draft()).not.toContain('\u001b');
  expect(aboveScissors(draft())).toBe('');
});

test('a comment keeps all its lines, also those that begin with #', () => {
  expect(aboveScissors(draft().replace(/^\n/, '# One\n\n  - two\n#three\n'))).toBe('# One\n\n  - two\n#three');
  expect(aboveScissors(draft('begun'))).toBe('begun');
  expect(aboveScissors(`a\r\n${SCISSORS}  \r\nb`)).toBe('a');
});

test('keeps a comment with scissors in the artifact, and refuses a text without scissors', () => {
  const edited = commentDraft('Accept?', `one\n${SCISSORS}\ntwo`).replace(/^\n/, 'mine\n');
  expect(aboveScissors(edited)).toBe('mine');
  expect(aboveScissors('mine\n>8\n')).toBeUndefined();
});
