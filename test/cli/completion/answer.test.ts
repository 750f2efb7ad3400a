import { expect, test } from 'vitest';
import { answer } from '../../../cli/completion/answer.ts';
import { described } from '../../../cli/completion/cursor.ts';
import { named } from '../../../cli/completion/known.ts';
import { unquoted } from '../../../cli/completion/quoting.ts';
import { commandTree } from '../../../cli/completion/tree.ts';
import { createProgram } from '../../../cli/program.ts';
import { fakeIo } from '../fakeIo.ts';

const nodes = commandTree(createProgram({ io: fakeIo(), exit: () => {} }));
const ask = (shell: 'bash' | 'zsh' | 'fish', ...words: string[]) => answer(shell, words, nodes, fakeIo());

test('answers with the kind, the text in front, and one candidate a line', async () => {
  expect(await ask('zsh', 'run', 'show', '--js')).toBe('words\t\n--json\tprint JSON\n');
  expect(await ask('zsh', 'approval', 'list', '--state=deci')).toBe('words\t--state=\n--state=decision\t\n');
  expect(await ask('fish', 'run', 'start', '--requirements=x')).toBe('files\t--requirements=\n');
  expect(await ask('bash', 'run', 'start', '--repo', '')).toBe('directories\t\n');
});

test('without a daemon, offers backends, and nothing that only a daemon knows', async () => {
  expect(await ask('zsh', 'run', 'start', '--backend', 'planner=cl')).toBe('words\t\nplanner=claude\tbackend\n');
  for (const words of [
    ['run', 'show', ''],
    ['run', 'start', '--backend', ''],
    ['attach', ''],
  ])
    expect(await ask('zsh', ...words)).toBe('words\t\n');
});

test.each([
  ["'a b", 'a b'],
  ['"a\\$b\\c"', 'a$b\\c'],
  ['a\\ b\\$(c)', 'a b$(c)'],
  ['$(touch x)`y`', '$(touch x)`y`'],
])('a word as bash holds it, %s, is read without running it', (raw, text) => {
  expect(unquoted(raw)).toBe(text);
});

test('a daemon of an older version has no titles, and no description says so', () => {
  expect(described('decision', undefined, 'development@1', '3m ago')).toBe('decision  development@1  3m ago');
});

test('shortens ids, unless a short one is ambiguous or the person typed more', () => {
  const ids: [string, string][] = ['aaaaaaaa-1', 'aaaaaaaa-2', 'bbbbbbbb-1'].map((id) => [id, '']);
  expect(named(ids, '').map(([id]) => id)).toEqual(['aaaaaaaa-1', 'aaaaaaaa-2', 'bbbbbbbb']);
  expect(
    named(ids, 'bbbbbbbb-')
      .map(([id]) => id)
      .at(-1),
  ).toBe('bbbbbbbb-1');
});

test('a place for a definition or a file takes files where no known name fits', async () => {
  expect(await ask('bash', 'template', 'lint', 'a/b')).toBe('files\t\n');
  expect(await ask('zsh', 'template', 'diff', 'one', '')).toBe('files\t\n');
  expect(await ask('fish', 'persona', 'lint', 'one.yaml', '')).toBe('files\t\n');
  expect(await ask('zsh', 'template', 'new', 'mine', '--kind', 'l')).toBe('words\t\nlanes\t\nloop\t\n');
});
