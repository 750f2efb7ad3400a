import { expect, test } from 'vitest';
import type { CommentView } from '../../../../../schemas/comments/commentView.ts';
import { given, press, rows, text } from '../../givenScreen.ts';
import { answersOf, commentsOf, cursorRow, FULL, ID, play, typed } from './givenReview.ts';

const BEFORE = '22222222-0000-4000-8000-000000000001';
const view = (id: string, more: Partial<CommentView> = {}): CommentView => ({
  ...({ id, path: 'src/a.ts', side: 'new', line: 1, endLine: null, artifact: null, pointer: null } as const),
  ...({ quote: 'q', kind: 'change', text: `Comment ${id}`, anchor: null, approvalId: BEFORE, at: 't' } as const),
  ...({ gateKey: 'changes_approved', phaseKey: 'implement', state: 'answered', reason: null } as const),
  answers: [{ phaseKey: 'implement', assignment: 'implementer', action: 'fixed', note: `Done ${id}`, at: 't' }],
  now: { path: 'src/a.ts', line: 2, endLine: null, as: 'moved' },
  patch: null,
  ...more,
});
const COMMENTS = [
  view('c1', { approvalId: 'older' }),
  view('c2', { patch: FULL.diff?.patch ?? null }),
  view('c3', { kind: 'question', state: 'unanswered', reason: 'The run ended first.', answers: [] }),
  view('c4', { now: { path: 'src/a.ts', line: null, endLine: null, as: 'outdated' } }),
];
const opened = (comments = COMMENTS, more = {}) =>
  given({ screen: 'approval', id: ID }, answersOf({ ...FULL, ...more, comments }), { columns: 100, rows: 60 });

test('a gate opens on the answers to the last request, with the lines that changed there', () => {
  const lines = rows(opened());
  const begin = lines.findIndex((each) => each.includes('Answered (1)'));
  expect(lines.slice(begin, begin + 10)).toEqual([
    '❯Answered (1)',
    '',
    ' c2 src/a.ts:1  now src/a.ts:2',
    ' ┃ Comment c2',
    ' → implementer: fixed: Done c2',
    '    one',
    '   -two',
    '   +2',
    expect.stringMatching(/^ {3}\+long /),
    '    three',
  ]);
});

test('what is not answered, what lost its lines, and what is older stand in groups of their own', () => {
  const groups = rows(opened()).filter((each) => /\(\d\)$/.test(each));
  expect(groups.map((each) => each.slice(1))).toEqual([
    'Answered (1)',
    'Not answered (1)',
    'Outdated: their lines are gone (1)',
    'Of earlier gates (1)',
  ]);
  expect(text(opened())).toContain(' c3 src/a.ts:1  now src/a.ts:2  not answered: The run ended first.');
});

test('Enter goes to the place, and for lost lines to the file', () => {
  const first = play(opened(), ')');
  expect(cursorRow(first)).toContain('c2 src/a.ts:1');
  const there = play(first, 'enter');
  expect(text(there)).toContain('[Changes 2]');
  expect(cursorRow(there)).toBe('❯+2');
  expect(cursorRow(play(first, ')', ')', 'enter'))).toBe('❯diff --git a/src/a.ts b/src/a.ts');
});

test('c on an answer comments on its place again', () => {
  const model = play(opened(), ')', 'c', ...typed('Still'), 'enter');
  expect(commentsOf(model)).toMatchObject([{ path: 'src/a.ts', line: 2, quote: '', text: 'Still' }]);
});

test('answers that are still out do not come first, and a gate that takes no comments shows them as well', () => {
  const waiting = opened([view('c1', { state: 'open', answers: [] })]);
  expect(text(waiting)).toContain('[Sheet]');
  expect(text(play(waiting, 'tab'))).toContain('Waiting for an answer (1)');
  const decided = opened(COMMENTS, { takesComments: undefined, actions: ['approve', 'reject'] });
  const there = play(decided, ')', 'enter');
  expect(text(there)).toContain('[Changes 2]');
  expect(press(decided, 'c').model.toasts.map((each) => each.text)).toEqual([
    'changes: this gate takes only approve or reject.',
  ]);
});
