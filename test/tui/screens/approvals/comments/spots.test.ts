import { expect, it } from 'vitest';
import { placeInDocument } from '../../../../../daemon/core/comments/placeInDocument.ts';
import { placeLines } from '../../../../../daemon/core/comments/placeLines.ts';
import type { NewComment } from '../../../../../schemas/comments/comment.ts';
import { allDocumentLines } from '../../../../../schemas/sheet/sheetLines.ts';
import { reviewRows } from '../../../../../tui/screens/approvals/comments/reviewRows.ts';
import { codeSpots, documentSpot, placeOf } from '../../../../../tui/screens/approvals/comments/spots.ts';
import { textOf } from '../../../../../tui/text/line.ts';
import { codeDiffLines } from '../../../../../tui/widgets/diff.ts';

const PATCH = `diff --git a/src/a.ts b/src/a.ts
index 1..2 100644
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,4 @@
 one
-two
+2
+2b
 three
@@ -10 +11 @@
-ten
+10
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
`;
const DIFF = {
  ...{ base: 'b', head: 'h', patch: PATCH, truncated: false },
  files: [
    { path: 'src/a.ts', insertions: 3, deletions: 2 },
    { path: 'logo.png', insertions: 0, deletions: 0 },
  ],
};
const NEW = ['one', '2', '2b', 'three', '5', '6', '7', '8', '9', '10', '10'];

const rows = codeDiffLines(DIFF).map(textOf);
const spots = codeSpots(DIFF);
const at = (text: string, end = text) => {
  const from = rows.indexOf(text);
  return placeOf(spots.slice(from, rows.indexOf(end) + 1));
};

it.each([false, true])('has a spot for each row, also of a patch that is cut: %s', (truncated) => {
  const diff = { ...DIFF, truncated };
  expect(codeSpots(diff)).toHaveLength(codeDiffLines(diff).length);
  const none = { ...diff, files: [], patch: '' };
  expect(codeSpots(none)).toHaveLength(codeDiffLines(none).length);
});

it('takes the first row for the whole, and the row of a file for the file', () => {
  expect(placeOf(spots.slice(0, 1))).toMatchObject({ path: null, line: null });
  expect(placeOf(spots.slice(1, 2))).toMatchObject({ path: 'src/a.ts', line: null });
  expect(at('diff --git a/src/a.ts b/src/a.ts')).toMatchObject({ path: 'src/a.ts', line: null });
  expect(at('@@ -10 +11 @@')).toMatchObject({ path: 'src/a.ts', line: null });
});

it('comments on a file whose lines nobody can see', () => {
  expect(at('Binary files a/logo.png and b/logo.png differ')).toMatchObject({ path: 'logo.png', line: null });
});

it('names lines as the file counts them', () => {
  expect(at('-two')).toMatchObject({ side: 'old', line: 2, endLine: null, quote: 'two' });
  expect(at('+2b')).toMatchObject({ side: 'new', line: 3, endLine: null, quote: '2b' });
  expect(at('+10')).toMatchObject({ side: 'new', line: 11, quote: '10' });
});

it('quotes the new lines of a range as the daemon finds them', () => {
  const place = at(' one', ' three');
  expect(place).toMatchObject({ path: 'src/a.ts', side: 'new', line: 1, endLine: 4, quote: 'one\n2\n2b\nthree' });
  expect('why' in place ? place : placeLines(NEW, place).place).toBe('same');
});

it.each([
  [' three', '-ten', 'a range has only lines of one hunk, or of one document'],
  ['-two', 'diff --git a/logo.png b/logo.png', 'a range has only lines of one hunk, or of one document'],
  ['', '', 'this row shows nothing that a comment can be about'],
])('refuses a range from %j to %j', (from, to, why) => {
  expect(at(from, to)).toEqual({ why });
});

it('names a part of a document by its pointer, and the document by its name', () => {
  const content = JSON.stringify({ title: 'Greet', goals: ['By name'] });
  const of = { artifactId: 'a1', schema: 'dev/spec@1', path: 'x/spec.json', hash: 'f'.repeat(64) };
  const lines = allDocumentLines({ documents: [{ ...of, edited: false, isSaid: false }] }, [
    { artifactId: 'a1', content, truncated: false, errors: [] },
  ]);
  const places = lines.map((each) => placeOf([documentSpot(each, [{ ...of, content }])]));
  const artifact = of.hash;
  expect(places).toEqual([
    expect.objectContaining({ artifact, pointer: null, quote: '' }),
    expect.objectContaining({ artifact, pointer: '/title', quote: 'Greet' }),
    { why: 'this row shows nothing that a comment can be about' },
    expect.objectContaining({ artifact, pointer: '/goals', quote: 'Goals' }),
    expect.objectContaining({ artifact, pointer: '/goals/0', quote: 'By name' }),
  ]);
});

it.each(['{\n  "title": "Greet",\n  "goals": []\n}\n', '{\n  "title": "Greet",\n'])(
  'quotes one line of JSON as it is written, and the document by its name: %j',
  (content) => {
    const of = { artifactId: 'a1', schema: 'dev/spec@1', path: 'x/spec.json', hash: 'f'.repeat(64) };
    const lines = allDocumentLines(
      { documents: [{ ...of, edited: false, isSaid: false }] },
      [{ artifactId: 'a1', content, truncated: false, errors: ['It is not valid.'] }],
      { raw: true },
    );
    const spotsOf = lines.map((each) => documentSpot(each, [{ ...of, content }]));
    const line = lines.findIndex(({ text }) => text.includes('title'));
    expect(placeOf(spotsOf.slice(line, line + 1))).toMatchObject({ pointer: null, quote: '  "title": "Greet",' });
    for (const whole of [0, 1]) expect(placeOf(spotsOf.slice(whole, whole + 1))).toMatchObject({ quote: '' });
    expect(placeOf(spotsOf.slice(0, line + 1))).toMatchObject({ quote: '{\n  "title": "Greet",' });
    const comment = (place: object) => ({ ...place, kind: 'change', text: 'Mine' }) as NewComment;
    const shownAt = (place: object) => {
      const drafts = [{ draft: {} as never, comment: comment(place) }];
      const { rows } = reviewRows(
        lines.map(({ text }) => [{ text }]) as never,
        spotsOf,
        { drafts, belongs: () => true },
        80,
      );
      return rows.findIndex(({ draft }) => draft !== undefined);
    };
    expect(shownAt(placeOf(spotsOf.slice(line, line + 1)))).toBe(line + 1);
    expect(shownAt(placeOf(spotsOf.slice(0, 1)))).toBe(1);
  },
);

it.each([false, true])('names a line of a document that is not JSON by its number, as written: %s', (raw) => {
  const content = '# Title\n\n- **one**\n- two\n';
  const of = { artifactId: 'a1', schema: 'handover/plan', path: 'x/plan.md', hash: 'f'.repeat(64) };
  const lines = allDocumentLines(
    { documents: [{ ...of, edited: false, isSaid: false }] },
    [{ artifactId: 'a1', content, truncated: false, errors: [] }],
    { raw },
  );
  const spotsOf = lines.map((each) => documentSpot(each, [{ ...of, content }]));
  const begin = lines.findIndex(({ text }) => text.includes('**one**'));
  expect(placeOf(spotsOf.slice(begin, begin + 1))).toMatchObject({ pointer: '/3', quote: '- **one**' });
  const range = placeOf(spotsOf.slice(begin, begin + 2));
  expect(range).toMatchObject({ artifact: of.hash, pointer: '/3', quote: '- **one**\n- two' });
  expect(placeInDocument(content, range as never)).toMatchObject({ place: 'same' });
});
