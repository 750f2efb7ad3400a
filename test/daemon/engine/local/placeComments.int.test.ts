import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeViews } from '../../../../daemon/api/approvals/placeViews.ts';
import { commentViews } from '../../../../daemon/core/comments/commentViews.ts';
import type { Approval, Run } from '../../../../daemon/core/run/state.ts';
import { placeComments } from '../../../../daemon/engine/local/placeComments.ts';
import { newComment } from '../../core/comments/givenComments.ts';
import { newRun } from '../../core/support/run.ts';
import { type Given, given, lines } from '../../repository/merge/given.ts';

const LONG = Array.from({ length: 12 }, (_, at) => `const value${at} = ${at};`);

/** A gate about a change: edited, renamed, deleted, binary, linked and Windows files. */
function givenChange() {
  const at = given({
    'edited.ts': lines(...LONG),
    'renamed.ts': lines(...LONG.map((line) => `${line} // kept`)),
    'windows.txt': 'one\r\ntwo\r\nthree',
    'gone.ts': lines('let gone = 1;', 'let away = 2;'),
    'né.txt': lines('é'),
  });
  const head = at.commitOn('work', ({ dir, git, write }) => {
    write({ 'edited.ts': lines('// first', ...LONG.slice(1)), 'utf16.txt': Buffer.from('a\0b\0', 'utf8').toString() });
    git('mv', 'renamed.ts', 'other.ts');
    git('rm', '-q', 'gone.ts');
    writeFileSync(join(dir, 'image.png'), Buffer.from([0x89, 0x50, 0, 1, 2]));
    symlinkSync('edited.ts', join(dir, 'link.ts'));
    git('add', '-A');
  });
  return { at, head, ...gateAt(at, at.base, head) };
}

function gateAt({ repo, runDir }: Given, from: string, to: string) {
  const where = { repoPath: repo.dir, baseCommit: from, workspaceRoot: join(runDir, 'ws') };
  const { run } = newRun({ where });
  const approval = { id: 'gate', gateKey: 'changes_approved', subject: { diff: { from, to } } } as unknown as Approval;
  return { run: { ...run, approvals: [approval] }, approval };
}

const about = (path: string, line: number | null = null, more: object = {}) =>
  newComment({ path, line, endLine: null, quote: '', ...more });

test('lines are compared with the commits that the gate shows', async () => {
  const { run, approval } = givenChange();
  const comments = [
    about('edited.ts', 1),
    about('edited.ts', 1, { side: 'old' }),
    about('other.ts', 3, { endLine: 4 }),
    about('other.ts', 3, { side: 'old' }),
    about('gone.ts', 2, { side: 'old', quote: 'let away = 2;' }),
    about('windows.txt', 2, { quote: 'two\r' }),
    about('windows.txt', 3),
    about('né.txt', 1),
  ];
  const placed = await placeComments(run, approval, comments);
  expect(placed.map((each) => (each.place === 'same' ? each.quote : each))).toEqual([
    ...['// first', 'const value0 = 0;', 'const value2 = 2; // kept\nconst value3 = 3; // kept'],
    ...['const value2 = 2; // kept', 'let away = 2;', 'two\r', 'three', 'é'],
  ]);
});

test('files of any kind take a comment, but have no lines if they are no text', async () => {
  const { run, approval } = givenChange();
  const files = ['edited.ts', 'gone.ts', 'image.png', 'link.ts', 'utf16.txt'];
  const placed = await placeComments(
    run,
    approval,
    files.map((path) => about(path)),
  );
  expect(placed.map(({ place }) => place)).toEqual(files.map(() => 'same'));
  const noLines = await placeComments(run, approval, [
    about('image.png', 1),
    about('utf16.txt', 1),
    about('gone.ts', 1),
  ]);
  expect(noLines.map(({ place }) => place)).toEqual(['outdated', 'outdated', 'outdated']);
});

test('what leads out of the repository, or is not there, is refused with the reason', async () => {
  const { run, approval } = givenChange();
  const paths = ['../f.txt', '/etc/passwd', '.git/config', 'a\nb', './edited.ts', 'Edited.ts', 'none', 'a:b'];
  const placed = await placeComments(
    run,
    approval,
    paths.map((path) => about(path)),
  );
  expect(placed.map((each) => ('reason' in each ? each.reason : each.place))).toEqual([
    expect.stringContaining('must not lead out'),
    expect.stringContaining('must be relative'),
    expect.stringContaining("git's own directory"),
    expect.stringContaining('control characters'),
    'Write the path as edited.ts.',
    ...['There is no file of this name.', 'There is no file of this name.', 'There is no file of this name.'],
  ]);
});

test('a document that the gate does not show takes no comment', async () => {
  const { run, approval } = givenChange();
  const other = newComment({ path: null, line: null, endLine: null, quote: '', artifact: 'a'.repeat(64) });
  expect(await placeComments(run, approval, [other])).toMatchObject([{ place: 'outdated' }]);
});

test('after a fix each comment is where its lines are, or says that they are gone', async () => {
  const { at, head, run, approval } = givenChange();
  const comments = [
    about('edited.ts', 3),
    about('edited.ts', 6),
    about('other.ts', 2),
    about('windows.txt', 2),
    about('edited.ts', 1, { side: 'old' }),
    about('né.txt'),
  ];
  const placed = await placeComments(run, approval, comments);
  const fixed = at.commitOn(
    'fixed',
    ({ write, git }) => {
      const before = ['// first', ...LONG.slice(1)];
      write({ 'edited.ts': lines('// zero', ...before.slice(0, 5), 'changed();', ...before.slice(6)) });
      git('mv', 'other.ts', 'third.ts');
      git('rm', '-q', 'windows.txt');
    },
    head,
  );
  const recorded = comments.map((comment, nth) => {
    const found = placed[nth];
    const quote = found?.place === 'same' ? found.quote : '';
    const facts = {
      approvalId: 'gate',
      gateKey: approval.gateKey,
      at: '',
      phaseId: run.phases[0]?.id ?? '',
      answers: [],
    };
    return { ...comment, quote, id: `c${nth + 1}`, anchor: null, ...facts };
  });
  const after: Run = { ...run, comments: recorded };
  const views = await placeViews(after, commentViews(after), fixed);
  expect(views.map(({ now }) => now)).toEqual([
    { path: 'edited.ts', line: 4, endLine: null, as: 'moved' },
    { path: 'edited.ts', line: 7, endLine: null, as: 'changed' },
    { path: 'third.ts', line: 2, endLine: null, as: 'moved' },
    { path: 'windows.txt', line: null, endLine: null, as: 'outdated' },
    { path: 'edited.ts', line: 1, endLine: null, as: 'same' },
    { path: 'né.txt', line: null, endLine: null, as: 'same' },
  ]);
  expect(views[1]?.patch).toContain('+changed();');
  expect(views[2]?.patch).toContain('rename to third.ts');
  expect(views[5]?.patch).toBeNull();
});

test('of many comments the newest show what changed, and all show where they are', async () => {
  const { at, head, run } = givenChange();
  const long = Array.from({ length: 600 }, (_, nth) => `const another${nth} = '${'x'.repeat(40)}';`);
  const fixed = at.commitOn('fixed', { 'edited.ts': lines('// first', ...LONG.slice(1), ...long) }, head);
  const facts = { approvalId: 'gate', gateKey: 'x', at: '', phaseId: '', answers: [], anchor: null };
  const comments = Array.from({ length: 60 }, (_, nth) => {
    return { ...about('edited.ts', 2, { quote: LONG[1] }), ...facts, id: `c${nth + 1}` };
  });
  const views = await placeViews({ ...run, comments }, commentViews({ ...run, comments }), fixed);
  expect(views.map(({ id }) => id)).toEqual(comments.map(({ id }) => id));
  expect(views.every(({ now }) => now?.as === 'same')).toBe(true);
  expect([views.at(0)?.patch, typeof views.at(-1)?.patch]).toEqual([null, 'string']);
  expect(JSON.stringify(views).length).toBeLessThan(1024 * 1024);
});

test('without the repository comments are shown without a place', async () => {
  const { run } = givenChange();
  const facts = { approvalId: 'gate', gateKey: 'x', at: '', phaseId: '', answers: [], id: 'c1', anchor: null };
  const lost = { ...run, repoPath: '/nowhere', comments: [{ ...about('edited.ts', 3), ...facts }] };
  expect(await placeViews(lost, commentViews(lost), 'head')).toMatchObject([{ now: null, patch: null }]);
});
