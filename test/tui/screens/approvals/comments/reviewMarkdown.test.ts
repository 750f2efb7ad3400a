import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { NewComment } from '../../../../../schemas/comments/comment.ts';
import {
  readReviewMarkdown,
  reviewMarkdown,
  withFaults,
} from '../../../../../tui/screens/approvals/comments/reviewMarkdown.ts';

const NOWHERE = {
  ...({ path: null, side: 'new', line: null, endLine: null, artifact: null, pointer: null, quote: '' } as const),
};
const LINES: NewComment = {
  ...NOWHERE,
  ...({ path: 'src/a.ts', line: 10, endLine: 12, quote: 'a\nb\nc', kind: 'change', text: 'Refuse blanks.' } as const),
};
const QUESTION: NewComment = {
  ...NOWHERE,
  ...({ path: 'src/a.ts', side: 'old', line: 3, quote: 'x', kind: 'question', text: 'Why?' } as const),
};
const DRAFTS = [
  { id: 'one', comment: LINES },
  { id: 'two', comment: QUESTION },
];

const edited = (change: (text: string) => string, drafts = DRAFTS) =>
  readReviewMarkdown(change(reviewMarkdown('changes_approved', drafts, 'the diff')), drafts);

it('writes a heading, the quote and the text of each comment', () => {
  expect(reviewMarkdown('changes_approved', DRAFTS, '').split('\n').slice(0, 16)).toEqual([
    '# Review of changes_approved',
    '',
    '## src/a.ts:10-12 [1]',
    '',
    '> a',
    '> b',
    '> c',
    '',
    'Refuse blanks.',
    '',
    '## src/a.ts:3 (removed) [2]',
    '',
    '> x',
    '',
    '? Why?',
    '',
  ]);
});

it('takes changed texts, and comments whose headings were deleted', () => {
  const read = edited((text) =>
    text.replace('Refuse blanks.', 'Refuse\n\nspaces.').replace(/## src\/a.ts:3[\s\S]*\? Why\?/, ''),
  );
  expect(read).toEqual({
    ok: true,
    comments: [{ id: 'one', comment: { ...LINES, text: 'Refuse\n\nspaces.' } }],
    removed: ['two'],
  });
});

it('takes an emptied comment as deleted', () => {
  expect(edited((text) => text.replace('Refuse blanks.', ''))).toMatchObject({ ok: true, removed: ['one'] });
});

it('takes new comments, in the order in which they stand', () => {
  const read = edited(
    (text) =>
      `All in all: good.\n\n## b.ts\n\nSplit it.\n\n## "c:1":2-2\n\n?And this\n\n${text.replace('# Review of changes_approved', '')}`,
  );
  expect(read.ok && read.comments.slice(0, 3)).toEqual([
    { comment: { ...NOWHERE, kind: 'change', text: 'All in all: good.' } },
    { comment: { ...NOWHERE, path: 'b.ts', kind: 'change', text: 'Split it.' } },
    { comment: { ...NOWHERE, path: 'c:1', line: 2, kind: 'question', text: 'And this' } },
  ]);
});

it('moves a comment whose heading names other lines, without its quote', () => {
  expect(edited((text) => text.replace('a.ts:10-12', 'b.ts:4'))).toMatchObject({
    comments: [{ id: 'one', comment: { path: 'src/b.ts', line: 4, endLine: null, quote: '' } }, { id: 'two' }],
  });
});

it('makes a copied heading a comment of its own', () => {
  const read = edited(
    (text) =>
      `# Review of changes_approved\n## src/a.ts:10-12 [1]\nFirst\n${text.replace('# Review of changes_approved', '')}`,
  );
  expect(read.ok && read.comments.map(({ id, comment }) => [id, comment.text])).toEqual([
    ['one', 'First'],
    [undefined, 'Refuse blanks.'],
    ['two', 'Why?'],
  ]);
});

it.each([
  ['## a.ts:0\nx', 'a.ts:0: lines count from 1.'],
  ['## a.ts:3-2\nx', 'a.ts:3-2: its last line is before its first one.'],
  ['## a.ts (removed)\nx', 'a.ts (removed): it names no removed line.'],
  ['## \nx', ': it names no file.'],
  ['## "a\nx', '"a: it names no file.'],
  ['## a\n?', 'a: the question is empty.'],
  ['## document 0123\nx', 'document 0123: a comment on a document is made in the dashboard.'],
  [`## a\n${'x'.repeat(4001)}`, 'a: the text has 4001 characters; a comment takes at most 4000.'],
])('takes nothing of %j', (text, fault) => {
  expect(edited((all) => `${text}\n${all.replace('# Review of changes_approved', '')}`)).toEqual({
    ok: false,
    faults: [fault],
  });
});

it('takes nothing without the scissors', () => {
  expect(edited((text) => text.replaceAll('>8', ''))).toMatchObject({ ok: false });
});

it('shows faults above the comments, and does not take them for a text', () => {
  const given = reviewMarkdown('changes_approved', DRAFTS, '');
  const first = withFaults(given, ['An older fault.']);
  for (const text of [
    withFaults(first, ['a.ts:0: lines count\nfrom 1.']),
    withFaults(given.replaceAll('>8', ''), ['x']),
  ]) {
    expect(text.match(/^# ! .*$/gm)).toHaveLength(1);
    expect(text).not.toContain('An older fault.');
    expect(readReviewMarkdown(text, DRAFTS)).toMatchObject({
      ok: true,
      comments: [{ id: 'one' }, { id: 'two' }],
      removed: [],
    });
  }
  expect(withFaults(given, ['a.ts:0: lines count\nfrom 1.'])).toContain('\n# ! a.ts:0: lines count␊from 1.\n');
});

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '## a',
        '> b',
        '\\## c',
        '\\\\',
        '# ! d',
        '? e',
        '-- >8 --',
        '------------------------ >8 ------------------------',
        '',
        ' x',
        '# t',
      ),
      fc.string(),
    ),
    { minLength: 1 },
  )
  .map((lines) => lines.join('\n').replaceAll('\r', '').trim())
  .filter((text) => text !== '' && text.length <= 4000);
const path = fc.oneof(
  fc.constantFrom('a', 'whole', 'document x', 'a:3', 'b (removed)', 'c [2]', '"q"', ' s ', 'n\nl', 'ü'),
  fc.string({ minLength: 1 }),
);
const comment = fc.record({
  path,
  line: fc.option(fc.integer({ min: 1, max: 999_999 })),
  kind: fc.constantFrom('change' as const, 'question' as const),
  text: hostile,
  quote: fc.constantFrom('', 'x', '## y\n> z', '------------------------ >8 ------------------------'),
});

it('gives back each comment that nobody touched', () => {
  fc.assert(
    fc.property(fc.array(comment, { maxLength: 4 }), (given) => {
      const drafts = given.map((each, nth) => ({ id: `id${nth}`, comment: { ...NOWHERE, ...each } }));
      expect(readReviewMarkdown(reviewMarkdown('Review', drafts, 'context'), drafts)).toEqual({
        ok: true,
        comments: drafts,
        removed: [],
      });
    }),
  );
});
