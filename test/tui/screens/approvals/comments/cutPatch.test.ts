import { expect, test } from 'vitest';
import { parsePatch } from '../../../../../schemas/diff/parsePatch.ts';
import { given, press, read, rows, text } from '../../givenScreen.ts';
import { answersOf, at, commentsOf, FULL, ID, PATCH, play, typed } from './givenReview.ts';

const [FIRST = '', SECOND = ''] = PATCH.split(/(?=diff --git a\/b\.ts)/);
const CUT = SECOND.split('\n').slice(0, 8).join('\n');
const LAST = `diff --git a/c.ts b/c.ts\n--- a/c.ts\n+++ b/c.ts\n@@ -1 +1 @@\n-old\n+new\n`;
const GATE = {
  ...FULL,
  diff: {
    ...{ base: 'a', head: 'b', patch: FIRST + CUT, truncated: true },
    files: [...(FULL.diff?.files ?? []), { path: 'c.ts', insertions: 1, deletions: 1 }],
  },
};
const FILES = {
  [`approval.diff ${ID} b.ts`]: { path: 'b.ts', patch: SECOND, truncated: false, binary: false },
  [`approval.diff ${ID} c.ts`]: { path: 'c.ts', patch: LAST, truncated: false, binary: false },
};
const size = { columns: 80, rows: 70 };
const answers = answersOf(GATE);
const begun = () => press(given({ screen: 'approval', id: ID }, answers, size), 'tab').model;

test('Enter on a file beyond the patch reads it, and its lines take comments', () => {
  const first = begun();
  expect(text(first)).toContain('Enter on a file of the list reads all of it.');
  const row = rows(first).findIndex((each) => each.endsWith('c.ts'));
  const asked = press(first, [...'j'.repeat(3), 'enter']).model;
  expect(row).toBeGreaterThan(0);
  const after = read(asked, { ...answers, 'approval.diff': FILES[`approval.diff ${ID} c.ts`] });
  expect(rows(after)).toContain(' +new');
  const model = play(at(play(after, 'g'), '+new'), 'c', ...typed('Name it'), 'enter');
  expect(commentsOf(model)).toMatchObject([{ path: 'c.ts', line: 1, quote: 'new' }]);
  expect(play(play(after, 'g'), 'j', 'j', 'j', 'enter').overlay).toBeUndefined();
});

test('a file that was cut off is shown whole, and can be marked as read then', () => {
  const first = press(begun(), [...'j'.repeat(2)]).model;
  expect(text(play(first, ' '))).not.toContain('1/3 read');
  const asked = press(first, 'enter').model;
  const after = read(asked, { ...answers, 'approval.diff': FILES[`approval.diff ${ID} b.ts`] });
  expect(rows(after)).toContain(' +line 40');
  const marked = play(at(play(after, 'g'), '+line 40'), ' ');
  expect(text(marked)).toContain('1/3 read');
  expect(rows(play(marked, 'g'))).toContain('✓   +40     −0  b.ts');
});

test('the file after one that is cut off anywhere begins with its own lines', () => {
  for (let length = FIRST.indexOf('@@'); length < FIRST.length; length += 1) {
    const { files, rows: all } = parsePatch(`${FIRST.slice(0, length)}\n${LAST}`);
    expect(files.map(({ path }) => path)).toEqual(['src/a.ts', 'c.ts']);
    expect(all.filter(({ file }) => file === 1).map(({ kind }) => kind)).toEqual([
      ...['head', 'head', 'head', 'hunk', 'removed', 'added'],
    ]);
  }
});
