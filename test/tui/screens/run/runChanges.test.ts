import { expect, test } from 'vitest';
import type { Model } from '../../../../tui/model/model.ts';
import { query } from '../../../../tui/model/query.ts';
import { seen } from '../../given.ts';
import { detail, press, RUN, SMALL, shows } from './runFixtures.ts';

const patchOf = (path: string, lines: number) =>
  [`diff --git a/${path} b/${path}`, `--- a/${path}`, `+++ b/${path}`, `@@ -0,0 +1,${lines} @@`]
    .concat(Array.from({ length: lines }, (_, nth) => `+line ${nth + 1} of ${path}`))
    .join('\n');
const FILES = [
  { path: 'src/one.ts', insertions: 40, deletions: 0 },
  { path: 'src/two.ts', insertions: 2, deletions: 0 },
  { path: 'src/three.ts', insertions: 1, deletions: 0 },
];
const diff = {
  runId: RUN,
  branch: null,
  base: 'a',
  head: 'b',
  stat: '',
  truncated: false,
  uncommittedFiles: 2,
  totals: { files: 3, insertions: 43, deletions: 0 },
  files: FILES,
  patch: FILES.map(({ path, insertions }) => patchOf(path, insertions)).join('\n'),
};
const shown = (more: object = {}) =>
  press(
    shows({ screen: 'run', id: RUN }, SMALL, [
      [query('run.get', { runId: RUN }).key, detail()],
      [query('run.diff', { runId: RUN }).key, { ...diff, ...more }],
    ]),
    'D',
  );
const place = (model: Model) => /file (\d of \d)/.exec(seen(model))?.[1];

test('} and { go from file to file, below the notes above the changes', () => {
  expect(place(shown())).toBeUndefined();
  const one = press(shown(), '}');
  expect(place(one)).toBe('1 of 3');
  expect(seen(one)).toMatch(/not committed[^\n]*\n\n diff --git a\/src\/one\.ts/);
  const two = press(one, '}');
  expect(place(two)).toBe('2 of 3');
  const three = press(two, '}');
  expect(place(three)).toBe('3 of 3');
  expect(press(three, '}').toasts.at(-1)?.text).toContain('this is the last file');
  expect(place(press(three, '{', '{'))).toBe('1 of 3');
  expect(place(press(three, 'k', 'g'))).toBeUndefined();
});

test('f chooses a file by its name, and y and o then offer that file', () => {
  expect(seen(press(shown(), 'f'))).toMatch(/src\/one\.ts +\+40 −0[\s\S]*src\/two\.ts +\+2 −0/);
  const two = press(shown(), 'f', ...'two', 'enter');
  expect(place(two)).toBe('2 of 3');
  expect(seen(press(two, 'o'))).toMatch(/file src\/two\.ts/);
  expect(seen(press(two, 'y'))).toMatch(/file path +.*\/worktrees\/1111\/src\/two\.ts/);
});

test('f says that there are no changes', () => {
  const none = shown({ files: [], patch: '' });
  expect(press(none, 'f').toasts.at(-1)?.text).toBe('files: no code changed.');
});

test('says which commits came after the approval', () => {
  const moved = { approved: 'c0ffee00c0ffee00', head: 'b', hasApproved: true, commits: [], commitCount: 2 };
  const after = (source: 'gate' | 'devflow') => seen(shown({ moved: { ...moved, source } }));
  expect(after('gate')).toContain('2 commits of the branch came after the approved commit c0ffee00c0ff.');
  expect(after('devflow')).toContain("2 commits of the branch came after devflow's last commit c0ffee00c0ff.");
});
