import { expect, test } from 'vitest';
import { sgrLine } from '../../../../tui/text/sgr.ts';
import { seen } from '../../given.ts';
import {
  detail,
  given,
  lists,
  press,
  RUN,
  rows,
  SESSION,
  sessionDetail,
  text,
  withTranscript,
} from '../givenScreen.ts';

const ID = '11111111-0000-4000-8000-000000000001';
const patchOf = (path: string, lines: number) =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, `@@ -0,0 +1,${lines} @@`]
    .concat(Array.from({ length: lines }, (_, nth) => `+diff --git line ${nth + 1} of ${path}`))
    .join('\n');
const FILES = [
  { path: 'src/one.ts', insertions: 40, deletions: 0 },
  { path: 'src/two.ts', insertions: 2, deletions: 0 },
  { path: 'src/three.ts', insertions: 1, deletions: 0 },
];
const diff = {
  base: 'a'.repeat(40),
  head: 'b'.repeat(40),
  files: FILES,
  truncated: false,
  patch: FILES.map(({ path, insertions }) => patchOf(path, insertions)).join('\n'),
};
const run = {
  runId: RUN,
  worktreeRoot: '/w/lane',
  branch: 'devflow/a',
  repoPath: '/home/ada/greeter',
  baseBranch: 'main',
  finalReportPath: null,
  baseCommit: 'c0ffee',
};
const place = { screen: 'approval', id: ID } as const;
const shown = (more: object = {}) =>
  given(
    place,
    lists({ 'approval.get': detail(ID, { diff, ...more }), 'run.get': run, 'session.get': sessionDetail() }),
  );
const code = () => press(shown(), '}').model;
const place_ = (model: ReturnType<typeof shown>) => /file (\d of \d)/.exec(text(model))?.[1];

test('} and { go from file to file, also when two files are visible at once', () => {
  expect(text(code())).toContain('[Changes 3]');
  expect(rows(code()).find((row) => row.includes('diff --git a/'))).toContain('src/one.ts');
  expect(place_(code())).toBe('1 of 3');
  const two = press(code(), '}').model;
  expect(place_(two)).toBe('2 of 3');
  const three = press(two, '}').model;
  expect(place_(three)).toBe('3 of 3');
  expect(press(three, '}').model.toasts.at(-1)?.text).toBe('next file: this is the last file.');
  expect(place_(press(three, '{').model)).toBe('2 of 3');
  expect(place_(press(three, ['{', '{']).model)).toBe('1 of 3');
});

test('f lists the changed files with their counts and goes to the chosen one', () => {
  const picker = press(shown(), 'f').model;
  expect(seen(picker)).toMatch(/src\/one\.ts +\+40 −0[\s\S]*src\/two\.ts +\+2 −0/);
  expect(place_(press(picker, [...'two', 'enter']).model)).toBe('2 of 3');
  const none = given(place, lists({ 'approval.get': detail(ID) }));
  expect(press(none, 'f').model.toasts.at(-1)?.text).toBe('files: no code changed.');
});

test('y and o offer the current file first', () => {
  const two = press(code(), '}').model;
  expect(press(two, ['y', 'enter']).commands).toEqual([{ type: 'copy', what: 'file', text: 'src/two.ts' }]);
  expect(press(two, ['o', 'enter']).commands).toEqual([
    { type: 'open', what: 'file src/two.ts', path: '/w/lane/src/two.ts', as: 'file', root: '/w/lane' },
  ]);
  expect(press(two, '!').commands).toEqual([
    { type: 'shell', path: '/w/lane', label: 'run aaaaaaaa, branch devflow/a' },
  ]);
});

test('the sheet shows the live last lines of the agent, without control characters', () => {
  const trouble = shown({
    kind: 'recovery',
    diff: null,
    subject: { sessionId: SESSION, code: 'hung', reason: 'no progress' },
  });
  expect(text(trouble)).toContain('Loading…');
  const lines = Array.from({ length: 60 }, (_, nth) => `said ${nth + 1}`);
  const printed = withTranscript(trouble, [...lines, '\u001b[31mError:\u001b[m \u202eevil', '', '  ', ''].map(sgrLine));
  expect(text(printed)).toMatch(/Last lines of the agent's pane[\s\S]*▏ said 60\n.*▏ Error: /);
  expect(text(printed)).not.toContain('\u202e');
  expect(text(printed)).not.toContain('said 40\n');
  const later = withTranscript(printed, [sgrLine('and now this')]);
  expect(text(later)).toContain('▏ and now this');
  const plain = withTranscript(shown(), [sgrLine('elsewhere')]);
  expect(text(plain)).not.toContain('elsewhere');
});
