import { expect, test } from 'vitest';
import type { Draft, Review } from '../../../../../schemas/comments/draft.ts';
import type { DecideCommand, Model, SendReviewCommand } from '../../../../../tui/model/model.ts';
import { update } from '../../../../../tui/update/update.ts';
import { press, RUN, rows, text, toasts } from '../../givenScreen.ts';
import {
  answered,
  at,
  commentsOf,
  cursorRow,
  EMPTY,
  FULL,
  ID,
  PATCH,
  play,
  SHOWN,
  shown,
  typed,
} from './givenReview.ts';

test('the cursor begins at the title, moves by lines, and stays on the screen', () => {
  let model = shown();
  expect(cursorRow(model)).toBe('❯2 files, +42 −1');
  model = play(model, 'j', 'j', 'k');
  expect(cursorRow(model)).toContain('src/a.ts');
  for (let times = 0; times < 60; times += 1) {
    model = play(model, 'j');
    expect(cursorRow(model)).toBeDefined();
  }
  expect(cursorRow(model)).toBe('❯+line 40');
  expect(cursorRow(play(model, 'g'))).toBeDefined();
});

test.each([
  { columns: 60, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 36 },
  { columns: 200, rows: 50 },
])('the cursor is seen at each size: %o', (size) => {
  let model = shown(FULL, size);
  for (const key of ['j', 'C-d', 'j', 'G', 'k', '}', 'j', 'C-u', '>', 'k', 'g', '{']) {
    model = play(model, key);
    expect(rows(model).filter((each) => each.startsWith('❯'))).toHaveLength(1);
  }
});

test('a comment on a line is a draft, and stands below that line', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('Name it'), 'enter');
  expect(commentsOf(model)).toEqual([
    {
      ...{ path: 'src/a.ts', side: 'new', line: 2, endLine: null, artifact: null, pointer: null, quote: '2' },
      ...{ kind: 'change', text: 'Name it' },
    },
  ]);
  const lines = rows(model);
  expect(lines[lines.indexOf('❯+2') + 1]).toBe(' ┃ Name it');
});

test('a question mark at the beginning asks a question', () => {
  const model = play(at(shown(), '-two'), 'c', ...typed('? Why was it'), 'enter');
  expect(commentsOf(model)).toMatchObject([{ side: 'old', line: 2, kind: 'question', text: 'Why was it' }]);
  expect(text(model)).toContain('┃ ? Why was it');
});

test('a range is quoted as the new file has it', () => {
  const model = play(at(shown(), ' one'), 'v', 'j', 'j', 'c', ...typed('All'), 'enter');
  expect(commentsOf(model)).toMatchObject([{ line: 1, endLine: 2, quote: 'one\n2', text: 'All' }]);
  expect(rows(model).filter((each) => each.startsWith('│'))).toEqual([]);
});

test('a range over two files says why it takes no comment', () => {
  const model = play(at(shown(), ' three'), 'v', 'j', 'j', 'c');
  expect(model.overlay).toBeUndefined();
  expect(toasts(model)).toEqual(['comment: a range has only lines of one hunk, or of one document.']);
  expect(rows(play(model, 'escape')).filter((each) => each.startsWith('│'))).toEqual([]);
});

test('a comment on the row of a file is about the file, and on the title about the whole', () => {
  const file = play(shown(), 'j', 'c', ...typed('Split'), 'enter');
  const both = play(file, 'k', 'c', ...typed('Good'), 'enter');
  expect(commentsOf(both)).toMatchObject([
    { path: 'src/a.ts', line: null, text: 'Split' },
    { path: null, line: null, text: 'Good' },
  ]);
  expect(text(both)).toContain('┃ Split');
  expect(text(both)).toContain('┃ Good');
});

test('c on a comment changes it, and x deletes it', () => {
  const begun = play(at(shown(), '+2'), 'c', ...typed('Nam'), 'enter', 'j');
  const changed = play(begun, 'c', 'e', 'enter');
  expect(commentsOf(changed)).toMatchObject([{ line: 2, text: 'Name' }]);
  expect(commentsOf(play(changed, 'x'))).toEqual([]);
  expect(toasts(play(at(shown(), '+2'), 'x'))).toEqual(['delete comment: the cursor is on no comment.']);
});

test('a comment of several lines is wrapped, however far the code is scrolled', () => {
  const model = play(at(shown(), '+2'), '>', 'c', ...typed('a'), 'C-j', ...typed('b '.repeat(50)), 'enter');
  expect(text(model)).toContain('┃ a\n');
  expect(commentsOf(model)[0]?.text).toBe(`a\n${'b '.repeat(50).trim()}`);
});

test('the editor takes over the text, and keeps the comment', () => {
  const { model, commands } = press(play(at(shown(), '+2'), 'c', ...typed('Nam')), 'C-e');
  const edit = commands.find((each) => each.type === 'edit');
  expect(edit?.text).toBe('Nam');
  const after = edit?.then(model, '? Name\nit\n');
  expect(commentsOf(answered(model, after?.commands ?? []))).toMatchObject([{ kind: 'question', text: 'Name\nit' }]);
  expect(edit?.then(model, ' \n').commands).toEqual([]);
});

test(') and ( go from comment to comment, and @ lists them', () => {
  const one = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const two = play(at(one, '+line 30'), 'c', ...typed('Second'), 'enter');
  const first = play(two, '(');
  expect(cursorRow(first)).toBe('❯┃ First');
  expect(cursorRow(play(first, ')'))).toBe('❯┃ Second');
  const listed = play(first, '@');
  expect(listed.overlay).toMatchObject({
    choices: [
      { label: 'src/a.ts:2', description: 'First' },
      { label: 'b.ts:30', description: 'Second' },
    ],
  });
  expect(cursorRow(play(listed, 'down', 'enter'))).toBe('❯┃ Second');
});

test('Space marks a file as read, until its lines change', () => {
  const model = play(at(shown(), '+2'), ' ');
  expect(text(model)).toContain('1/2 read');
  expect(text(play(model, ' '))).toContain('0/2 read');
  const changed = shown({ ...FULL, diff: { ...(FULL.diff as object), patch: PATCH.replace('+2\n', '+3\n') } as never });
  const review = model.reviews.get(ID) as Review;
  expect(text(update(changed, { type: 'review', approvalId: ID, review }, changed.now).model)).toContain('0/2 read');
});

test('S shows the comments, and sends them as one decision', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const asked = press(model, 'S');
  expect(asked.model.overlay).toMatchObject({ question: 'Request changes with 1 comment?' });
  expect(press(asked.model, 'n').commands).toEqual([]);
  const sent = press(asked.model, 'y');
  expect(sent.commands).toEqual([
    expect.objectContaining({
      type: 'sendReview',
      gate: { runId: RUN, approvalId: ID, shown: SHOWN },
      listed: model.reviews.get(ID)?.drafts,
    }),
  ]);
  const [command] = sent.commands as SendReviewCommand[];
  const result = { decisionId: 'd', created: true, approvalId: ID, runId: RUN } as const;
  const taken = { ...result, action: 'request_changes', state: 'changes_requested' } as const;
  expect(command?.then(sent.model, taken).model.place).toEqual({ screen: 'approvals' });
});

test('without a comment there is nothing to send', () => {
  expect(toasts(press(shown(), 'S').model)).toEqual(['send comments: there is no comment to send.']);
});

test('at a gate that takes no changes there is no cursor, and the keys are as before', () => {
  const model = shown({ ...FULL, actions: ['approve', 'reject'] });
  expect(rows(model).filter((each) => each.startsWith('❯'))).toEqual([]);
  expect(toasts(press(model, 'c').model)).toEqual(['changes: this gate takes only approve or reject.']);
});

test('drafts of another gate and of an older hash are not shown as those of this one', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('Mine'), 'enter');
  const review = model.reviews.get(ID) as Review;
  const [draft] = review.drafts as [Draft];
  const others = [
    { ...draft, approvalId: 'x' },
    { ...draft, shown: 'b'.repeat(12) },
  ];
  const after = update(model, { type: 'review', approvalId: ID, review: { ...review, drafts: others } }, model.now);
  expect(text(after.model)).not.toContain('Mine');
});

test('a text that is too long goes on in the editor with a sentence, and none of it is lost', () => {
  const long = 'x'.repeat(4001);
  const typing = press(at(shown(), '+2'), 'c').model;
  const { model, commands } = press(update(typing, { type: 'paste', text: long }, typing.now).model, 'enter');
  const [edit] = commands;
  if (edit?.type !== 'edit') throw new Error('no editor');
  expect(edit.text).toMatch(
    /^x{4001}\n-+ >8 -+\nShorten it: the text has 4001 characters; a comment takes at most 4000\.\n/,
  );
  // An editor that returns at once changes nothing.
  const asked = edit.then(model, edit.text);
  expect(asked.commands).toEqual([]);
  expect(asked.model.overlay).toMatchObject({ kind: 'input', field: { text: long } });
  expect(toasts(asked.model)).toEqual([
    'Nothing is kept yet: the text has 4001 characters; a comment takes at most 4000.',
  ]);
  const shorter = edit.then(model, edit.text.replace('xx', ''));
  expect(commentsOf(answered(model, shorter.commands))).toMatchObject([{ line: 2, text: 'x'.repeat(3999) }]);
});

test('an editor that fails gives the text back', () => {
  const { model, commands } = press(play(at(shown(), '+2'), 'c', ...typed('Nam')), 'C-e');
  const [edit] = commands;
  if (edit?.type !== 'edit') throw new Error('no editor');
  const failed = edit.failed?.(model, { code: 'usage', message: 'The editor (vi) is not installed.' }).model;
  expect(failed?.overlay).toMatchObject({ kind: 'input', field: { text: 'Nam' } });
  expect(failed && toasts(failed)).toEqual(['The editor (vi) is not installed.']);
});

test('a comment that cannot be written is asked for again with its text', () => {
  const { model, commands } = press(at(shown(), '+2'), ['c', ...typed('Long thought'), 'enter']);
  const [command] = commands;
  if (command?.type !== 'drafts') throw new Error('nothing is written');
  const failed = command.failed?.(model, { code: 'internal', message: 'The disk is full.' }).model;
  expect(failed?.overlay).toMatchObject({ kind: 'input', field: { text: 'Long thought' } });
  expect(failed && toasts(failed)).toEqual(['The disk is full.']);
});

test('a review that cannot be written is kept, and E opens it again', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const edit = editing(model);
  const { model: sure, commands } = edit.then(model, edit.text.replace('First', 'Much more'));
  const [command] = commands;
  if (command?.type !== 'drafts') throw new Error('nothing is written');
  const failed = command.failed?.(sure, { code: 'internal', message: 'The disk is full.' }).model;
  expect(failed && toasts(failed)).toEqual(['The disk is full.', 'E opens your text again.']);
  const again = failed && editing(failed);
  expect(again?.text).toContain('Much more');
  expect(failed && again?.then(failed, again.text).commands).toMatchObject([
    { acts: [{ comment: { text: 'Much more' } }] },
  ]);
  const written = command.then?.(sure).model;
  expect(written && editing(written).text).not.toContain('Much more');
});

test('S asks again with what is there if another dashboard has begun to send', () => {
  const one = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const model = play(one, 'k', 'c', ...typed('Second'), 'enter');
  const review = model.reviews.get(ID) as Review;
  const [first] = review.drafts as [Draft];
  const { model: sent, commands } = press(model, ['S', 'y']);
  const [command] = commands as SendReviewCommand[];
  const sending = { clientToken: ID, comments: [first.comment], drafts: [first.id] };
  const seen = update(sent, { type: 'review', approvalId: ID, review: { ...review, sending } }, sent.now).model;
  const asked = command?.other(seen).model;
  expect(asked && toasts(asked)[0]).toContain('Nothing was sent');
  expect(asked?.overlay).toMatchObject({ title: 'Send again', question: 'Request changes with 1 comment?' });
  const none = update(sent, { type: 'review', approvalId: ID, review: EMPTY }, sent.now).model;
  expect(command?.other(none).model.overlay).toBeUndefined();
});

test('a draft that was changed after the try counts as not part of it', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const review = model.reviews.get(ID) as Review;
  const [first] = review.drafts as [Draft];
  const sending = { clientToken: ID, comments: [{ ...first.comment, text: 'Old' }], drafts: [first.id] };
  const after = update(model, { type: 'review', approvalId: ID, review: { ...review, sending } }, model.now).model;
  expect(press(after, 'S').model.overlay).toMatchObject({
    detail: expect.stringContaining('1 newer or changed comment is not part of it.'),
  });
});

test('S says that an earlier try may have sent them, sends that again, and can forget it', () => {
  const kept = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const newer = play(kept, 'k', 'c', ...typed('Second'), 'enter');
  const review = newer.reviews.get(ID) as Review;
  const [first] = review.drafts as [Draft];
  const sending = { clientToken: ID, comments: [first.comment], drafts: [first.id] };
  const after = update(newer, { type: 'review', approvalId: ID, review: { ...review, sending } }, newer.now).model;
  expect(text(after)).toContain('! 1 comment may not have reached the daemon. S sends them again.');
  const asked = press(after, 'S').model;
  expect(asked.overlay).toMatchObject({
    question: 'Request changes with 1 comment?',
    detail:
      'An earlier try got no answer. Sending it again records it only once. 1 newer or changed comment is not part of it.',
  });
  expect(press(asked, 'y').commands).toMatchObject([{ type: 'sendReview', listed: sending }]);
  expect(press(asked, 'x').commands).toEqual([
    { type: 'drafts', gate: { runId: RUN, approvalId: ID, shown: SHOWN }, acts: [{ do: 'forget', sending }] },
  ]);
});

test('files that cannot be read are counted above the gate', () => {
  const model = shown();
  const after = update(model, { type: 'review', approvalId: ID, review: { ...EMPTY, strange: 2 } }, model.now).model;
  expect(text(after)).toContain('! 2 files among your comments cannot be read.');
});

test('a asks first while comments are not sent, and c on the sheet says that they stay', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const asked = press(model, 'a');
  expect(asked.commands).toEqual([]);
  expect(asked.model.overlay).toMatchObject({
    question: 'Approve spec_approved (spec) without your comments?',
    detail: '1 comment stays unsent. S sends them.',
  });
  expect(press(asked.model, 'y').commands).toMatchObject([{ type: 'decide', params: { action: 'approve' } }]);
  expect(press(shown(), 'a').commands).toMatchObject([{ type: 'decide' }]);
  expect(play(model, 'S-tab', 'c').overlay).toMatchObject({ description: '1 comment stays unsent. S sends them.' });
});

test('a text at c on the sheet that the daemon refuses opens again', () => {
  const sheet = press(shown(), 'S-tab').model;
  const { model, commands } = press(sheet, ['c', ...typed('In German'), 'enter']);
  const [command] = commands as DecideCommand[];
  const refused = command?.failed?.(model, { code: 'internal', message: 'It broke.' }).model;
  expect(refused && press(refused, 'c').model.overlay).toMatchObject({ field: { text: 'In German' } });
  const result = { decisionId: 'd', created: true, approvalId: ID, runId: RUN } as const;
  const taken = command?.then(model, { ...result, action: 'request_changes', state: 'changes_requested' }).model;
  expect(taken && press({ ...taken, place: model.place }, 'c').model.overlay).toMatchObject({ field: { text: '' } });
});

/** The text of the whole review in the editor, and what comes of another text. */
function editing(model: Model) {
  const { commands } = press(model, 'E');
  const [edit] = commands;
  if (edit?.type !== 'edit') throw new Error('no editor');
  return edit;
}

test('E opens the whole review in the editor and takes changed, new and deleted comments', () => {
  const one = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const two = play(at(one, '+line 30'), 'c', ...typed('Second'), 'enter');
  const edit = editing(two);
  expect(edit.text).toContain('## src/a.ts:2 [1]\n\n> 2\n\nFirst\n\n## b.ts:30 [2]\n');
  expect(edit.text).toContain('diff --git a/src/a.ts b/src/a.ts');
  expect(edit.then(two, edit.text).commands).toEqual([]);
  const changed = edit.text.replace('First', '? Why').replace(/## b\.ts:30[\s\S]*?Second/, '## b.ts\n\nSplit it');
  const after = answered(two, edit.then(two, changed).commands);
  expect(commentsOf(after)).toMatchObject([
    { path: 'src/a.ts', line: 2, kind: 'question', text: 'Why', quote: '2' },
    { path: 'b.ts', line: null, text: 'Split it' },
  ]);
});

test('E opens a text with faults again, and keeps it if the person gives up', () => {
  const model = play(at(shown(), '+2'), 'c', ...typed('First'), 'enter');
  const edit = editing(model);
  const wrong = edit.text.replace('a.ts:2', 'a.ts:0').replace('First', 'Much more');
  const [again] = edit.then(model, wrong).commands;
  if (again?.type !== 'edit') throw new Error('not opened again');
  expect(again.text).toContain('# ! src/a.ts:0 [1]: lines count from 1.\n');
  const gaveUp = again.then(edit.then(model, wrong).model, again.text);
  expect(gaveUp.commands).toEqual([]);
  expect(toasts(gaveUp.model)[0]).toContain('Nothing was taken, and E opens your text again.');
  const later = editing(gaveUp.model);
  expect(later.text).toContain('Much more');
  const right = later.then(gaveUp.model, later.text.replace('## src/a.ts:0', '## src/a.ts:2'));
  expect(commentsOf(answered(gaveUp.model, right.commands))).toMatchObject([{ line: 2, text: 'Much more' }]);
});
