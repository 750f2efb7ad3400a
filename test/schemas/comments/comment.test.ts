import { describe, expect, test } from 'vitest';
import { Comment, CommentAnswer, NewComment, placesFault } from '../../../schemas/comments/comment.ts';
import type { CommentView } from '../../../schemas/comments/commentView.ts';
import { commentLines } from '../../../schemas/comments/commentWords.ts';

const HASH = 'a'.repeat(64);
const parsed = (given: object) => NewComment.safeParse({ text: 'Why?', ...given });

describe('a new comment', () => {
  test('is about the whole change, if it names nothing', () => {
    expect(parsed({}).data).toEqual({
      ...{ path: null, side: 'new', line: null, endLine: null, artifact: null, pointer: null },
      ...{ quote: '', kind: 'change', text: 'Why?' },
    });
  });

  test.each([
    { text: ' \n' },
    { text: 'x'.repeat(4001) },
    { text: 'a\0b' },
    { text: '\ud800' },
    { path: 'a\0b' },
    { path: '' },
    { line: 0 },
    { line: 1.5 },
    { side: 'left' },
    { artifact: 'x' },
    { quote: 'x'.repeat(2001) },
    { pointer: 'x'.repeat(1001) },
    { kind: 'praise' },
    { id: 'c1' },
  ])('is refused as %j', (given) => expect(parsed(given).success).toBe(false));

  test.each([
    [{ path: 'a', artifact: HASH }, 'document'],
    [{ pointer: '/a' }, 'no document'],
    [{ line: 3 }, 'no file'],
    [{ path: 'a', endLine: 3 }, 'no first line'],
    [{ path: 'a', line: 3, endLine: 2 }, 'before its first'],
    [{ side: 'old' as const }, 'no file'],
    [{ path: 'a', quote: 'x' }, 'no line'],
  ])('%j does not fit together', (given, why) => {
    expect(placesFault(NewComment.parse({ text: 'Why?', ...given }))).toContain(why);
  });

  test('fits together as a file, as lines and as a part of a document', () => {
    for (const given of [{ path: 'a' }, { path: 'a', line: 1, endLine: 1 }, { artifact: HASH, pointer: '/a' }, {}]) {
      expect(placesFault(NewComment.parse({ text: 'Why?', ...given }))).toBeUndefined();
    }
  });
});

test('the log keeps a note of any characters that the schema of the file allows', () => {
  expect(CommentAnswer.safeParse({ id: 'c1', action: 'fixed', note: '👍'.repeat(1000) }).success).toBe(true);
  expect(Comment.safeParse({ ...parsed({}).data, id: 'x1', anchor: null }).success).toBe(false);
});

test('a comment is shown with its place, its state and each answer', () => {
  const view: CommentView = {
    ...Comment.parse({ ...parsed({ path: 'a.ts', line: 2, endLine: 3, quote: 'x\ny' }).data, id: 'c1', anchor: null }),
    ...{ approvalId: 'a', gateKey: 'changes_approved', at: '', phaseKey: 'implement', state: 'answered', reason: null },
    answers: [{ phaseKey: 'implement', assignment: 'implementer', action: 'fixed', note: 'Done.', at: '' }],
    now: { path: 'b.ts', line: 4, endLine: 5, as: 'moved' },
    patch: null,
  };
  expect(commentLines(view)).toEqual([
    'c1 change a.ts:2-3 (now b.ts:4-5): answered',
    '  | x',
    '  | y',
    '  Why?',
    '  → implementer: fixed: Done.',
  ]);
  const lost: CommentView = { ...view, state: 'unanswered', reason: 'The run ended first.', answers: [] };
  expect(commentLines({ ...lost, now: { path: 'a.ts', line: null, endLine: null, as: 'outdated' } })[0]).toBe(
    'c1 change a.ts:2-3 (outdated: its lines are gone): not answered: The run ended first.',
  );
});
