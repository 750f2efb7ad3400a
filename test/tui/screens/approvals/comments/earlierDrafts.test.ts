import { expect, test } from 'vitest';
import type { Draft } from '../../../../../schemas/comments/draft.ts';
import type { Model } from '../../../../../tui/model/model.ts';
import { update } from '../../../../../tui/update/update.ts';
import { gate, press, read, rows, text } from '../../givenScreen.ts';
import { answered, answersOf, at, commentsOf, cursorRow, EMPTY, ID, play, shown } from './givenReview.ts';

const BEFORE = '22222222-0000-4000-8000-000000000001';
const comment = (line: number | null, words: string) => ({
  ...({ path: 'src/a.ts', side: 'new', line, endLine: null, artifact: null, pointer: null } as const),
  ...({ quote: line === null ? '' : 'q', kind: 'change', text: words } as const),
});
const draft = (id: string, of: ReturnType<typeof comment>, approvalId = BEFORE): Draft => ({
  ...{ id, approvalId, shown: 'b'.repeat(12), at: '2026-01-01T00:00:00.000Z', comment: of },
});
const DRAFTS = [
  draft('same', comment(2, 'Name it')),
  draft('moved', comment(1, 'It moved')),
  draft('lost', comment(9, 'It is gone')),
];
const PLACES = [
  { at: 0, place: 'same' },
  { at: 1, place: 'moved', line: 3, reason: 'The quoted lines stand at line 3.' },
  { at: 2, place: 'outdated', reason: 'The quoted lines are not in the file.' },
];

/** The gate with drafts of the gate before, after the daemon said where these stand. */
function reviewed(drafts: readonly Draft[] = DRAFTS, places: readonly object[] = PLACES): Model {
  const model = shown();
  const after = update(model, { type: 'review', approvalId: ID, review: { ...EMPTY, drafts } }, model.now).model;
  return read(after, { ...answersOf(), 'approval.checkComments': places });
}

test('drafts of the gate before are shown where the daemon finds them, and said to be from there', () => {
  const model = reviewed();
  expect(text(model)).toContain('! 3 comments from the gate before, 1 without a place. t takes them over.');
  const lines = rows(at(model, '+2'));
  const below = lines.slice(lines.indexOf('❯+2') + 1);
  expect(below.slice(0, 2)).toEqual([' ┃ Name it', ' ┃ (from the gate before)']);
  expect(below.slice(3, 5)).toEqual([' ┃ It moved', ' ┃ (from the gate before, at line 1 there)']);
});

test('what lost its place stands at the end with the reason, and c says it about the file', () => {
  const model = play(reviewed(), 'G');
  expect(rows(model).slice(-4)).toEqual([
    ' Without a place in what is shown',
    ' src/a.ts:9: The quoted lines are not in the file.',
    ' ┃ It is gone',
    '❯┃ (from the gate before)',
  ]);
  expect(press(model, 'c').model.overlay).toMatchObject({
    title: 'Comment on src/a.ts',
    field: { text: 'It is gone' },
  });
  expect(press(play(model, 'c'), 'enter').commands).toMatchObject([
    { acts: [{ do: 'write', draft: { id: 'lost' }, comment: { path: 'src/a.ts', line: null, quote: '' } }] },
  ]);
  expect(press(model, 'x').commands).toMatchObject([{ acts: [{ do: 'remove', draft: { id: 'lost' } }] }]);
});

test('S sends none of them, and t takes those that have a place', () => {
  const model = reviewed();
  expect(press(model, 'S').commands).toEqual([]);
  const taken = press(model, 't');
  expect(taken.commands).toMatchObject([
    {
      acts: [
        { draft: { id: 'same' }, comment: { line: 2 } },
        { draft: { id: 'moved' }, comment: { line: 3 } },
      ],
    },
  ]);
  const after = answered(taken.model, taken.commands);
  expect(commentsOf(after)).toHaveLength(3);
  expect(press(after, 'S').model.overlay).toMatchObject({ question: 'Request changes with 2 comments?' });
});

test('@ and ) reach them as well', () => {
  const model = reviewed();
  expect(press(model, '@').model.overlay).toMatchObject({
    choices: [
      { label: 'src/a.ts:2', description: 'Name it  from the gate before' },
      { label: 'src/a.ts:3', description: 'It moved  from the gate before, at line 1 there' },
      { label: 'src/a.ts:9', description: 'It is gone  from the gate before, without a place' },
    ],
  });
  expect(cursorRow(play(model, ')'))).toBe('❯┃ Name it');
});

test('a says that comments of the gate before stay unsent, and so does c on the sheet', () => {
  const asked = press(reviewed(), 'a');
  expect(asked.commands).toEqual([]);
  expect(asked.model.overlay).toMatchObject({
    question: 'Approve spec_approved (spec) without your comments?',
    detail: '3 comments from the gate before stay unsent. t takes those over, S sends them.',
  });
  expect(play(reviewed(), 'S-tab', 'c').overlay).toMatchObject({
    description: '3 comments from the gate before stay unsent. t takes those over, S sends them.',
  });
});

test.each(['pending', 'paused'])('while the %s gates are not known, no draft is said to be from before', (state) => {
  const model = reviewed();
  const data = new Map([...model.data].filter(([key]) => !key.includes(`"${state}"`)));
  expect(data.size).toBe(model.data.size - 1);
  expect(text({ ...model, data })).not.toContain('gate before');
});

test('drafts of a gate whose run is paused are not shown', () => {
  const model = reviewed();
  const [key = ''] = [...model.data.keys()].filter((each) => each.includes('"paused"'));
  const value = [gate(BEFORE, { state: 'paused' })];
  const after = update(model, { type: 'data', answers: [[key, { value }]] }, model.now).model;
  expect(text(after)).not.toContain('gate before');
});

test('drafts of a gate that still waits, and those that may have been sent, are not shown', () => {
  const model = shown();
  const drafts = [draft('other', comment(2, 'Of a lane')), draft('sent', comment(2, 'Sent'))];
  const review = { ...EMPTY, drafts, inFlight: ['sent'] };
  const open = { 'approval.list pending': [gate(ID), gate(BEFORE)] };
  const waiting = { ...model, data: new Map([...model.data].filter(([key]) => !key.includes('pending'))) };
  const after = read(update(waiting, { type: 'review', approvalId: ID, review }, model.now).model, {
    ...answersOf(),
    ...open,
  });
  expect(text(after)).not.toContain('gate before');
});
