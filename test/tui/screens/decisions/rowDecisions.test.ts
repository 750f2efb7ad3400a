import { describe, expect, test } from 'vitest';
import { SCISSORS } from '../../../../cli/client/scissors.ts';
import type { ApprovalDetail, ApprovalSummary } from '../../../../schemas/rpc/views/approval.ts';
import { PENDING } from '../../../../tui/model/listQueries.ts';
import type { CallCommand, Command, DecideCommand, Model, ScreenId } from '../../../../tui/model/model.ts';
import { screenOf } from '../../../../tui/screens/index.ts';
import { update } from '../../../../tui/update/update.ts';
import { givenSheet } from '../../../schemas/sheet/givenSheet.ts';
import { seen } from '../../given.ts';
import {
  type Answers,
  ago,
  type Decided,
  detail,
  gate,
  given,
  lists,
  press,
  RUN,
  read,
  rows,
  run,
  SESSION,
  session,
  toasts,
} from '../givenScreen.ts';

const FIRST = gate('11111111-gate', { createdAt: ago(100) });
const SECOND = gate('22222222-gate', { runId: 'bbbbbbbb-run', gateKey: 'plan_approved', phaseKey: 'plan' });
const RUNS = [run(), run({ runId: SECOND.runId, title: 'Count the words', repoPath: '/home/ada/atlas' })];
const page = (of: ApprovalSummary, more: Partial<ApprovalDetail> = {}): ApprovalDetail =>
  detail(of.id, {
    ...of,
    shown: 'cd'.repeat(32),
    sheet: givenSheet({
      decides: `Accept ${of.gateKey}?`,
      leadsTo: [{ action: 'approve', sentence: '"Plan the work" begins.' }],
      alarms: [{ code: 'uncommitted', sentence: 'Two files are not committed.' }],
    }),
    ...more,
  });
const answersFor = (gates: readonly ApprovalSummary[], more: Answers = {}): Answers =>
  lists({
    'run.list': RUNS,
    'approval.list pending': gates,
    ...Object.fromEntries(gates.map((each) => [`approval.get ${each.id}`, page(each)])),
    ...more,
  });
const LOOKED = 1_500;
/** A list that was looked at for longer than the guard takes. */
const shown = (screen: ScreenId, gates: readonly ApprovalSummary[] = [FIRST, SECOND], more: Answers = {}): Model =>
  later(given({ screen }, answersFor(gates, more), { columns: 100, rows: 30 }), LOOKED);
const later = (model: Model, ms: number): Model => update(model, { type: 'tick' }, model.now + ms).model;
const SCREENS: readonly ScreenId[] = ['runs', 'approvals'];

/** Presses a key, and answers what it reads. */
function asked(model: Model, key: string, of = page(FIRST)): Model {
  const { model: reading, commands } = press(model, key);
  return readingOf(commands).then(reading, of as never).model;
}

function readingOf(commands: readonly Command[]): CallCommand<'approval.get'> {
  const found = commands.find((each) => each.type === 'call' && each.method === 'approval.get');
  if (!found) throw new Error('no gate is read');
  return found as unknown as CallCommand<'approval.get'>;
}

function decisionOf(commands: readonly Command[]): DecideCommand {
  const found = commands.find((each): each is DecideCommand => each.type === 'decide');
  if (!found) throw new Error('nothing is decided');
  return found;
}

const done = (command: DecideCommand, more: Partial<Decided> = {}): Decided => ({
  decisionId: 'd',
  created: true,
  approvalId: command.params.approvalId,
  runId: RUN,
  state: 'approved',
  action: command.params.action,
  ...more,
});

describe.each(SCREENS)('on a row of %s', (screen) => {
  test('a asks one question with the head of the page, and y approves exactly that', () => {
    const question = asked(shown(screen), 'a');
    for (const part of [
      'Greet by name',
      'Accept spec_approved?',
      '"Plan the work" begins.',
      '! Two files are not committed.',
      'spec_approved (spec) attempt 1  run aaaaaaaa greeter',
      'hash abababababab',
      'y approve   Enter open   any other key cancels',
    ])
      expect(seen(question)).toContain(part);
    const { params } = decisionOf(press(question, 'y').commands);
    expect(params).toEqual({ approvalId: FIRST.id, action: 'approve', shown: 'cd'.repeat(32) });
    expect(press(question, 'n')).toMatchObject({ commands: [], model: { overlay: undefined, place: { screen } } });
    expect(press(question, 'enter').model.place).toEqual({ screen: 'approval', id: FIRST.id });
  });

  test('the question opens before its gate is read, so that no key acts on the list', () => {
    const { model, commands } = press(shown(screen), 'a');
    expect(seen(model)).toContain('Reading…');
    const early = press(model, 'y');
    expect(early.commands).toEqual([]);
    expect(toasts(early.model)).toEqual(['Not read yet; press again.']);
    const read = readingOf(commands);
    expect(seen(read.then(early.model, page(FIRST) as never).model)).toContain('Accept spec_approved?');
    const closed = press(model, 'escape').model;
    expect(read.then(closed, page(FIRST) as never).model.overlay).toBeUndefined();
    const lost = read.failed?.(model, { code: 'internal', message: 'It broke.' }).model;
    expect(lost?.overlay).toBeUndefined();
    expect(lost && toasts(lost)).toEqual(['It broke.']);
  });

  test('a gate that has only just become that of the row takes no decision yet', () => {
    const now = given({ screen }, answersFor([FIRST, SECOND]), { columns: 100, rows: 30 });
    const { model, commands } = press(asked(now, 'a'), 'y');
    expect(commands).toEqual([]);
    expect(toasts(model)).toEqual(['approve: this gate has only just appeared; press again.']);
    expect(decisionOf(press(later(model, LOOKED), 'y').commands).params.approvalId).toBe(FIRST.id);
  });

  test('a key that was meant for a gate decided elsewhere does not decide the next one', () => {
    const before = shown(screen);
    const left = update(before, { type: 'data', answers: [[PENDING.key, { value: [SECOND] }]] }, before.now).model;
    const onlyRun = screen === 'runs' ? press(left, 'j').model : left;
    const { model, commands } = press(asked(onlyRun, 'a', page(SECOND)), 'y');
    expect(commands).toEqual([]);
    expect(toasts(model).at(-1)).toContain('has only just appeared');
  });

  test('a list that gets another order between look and key decides on the selected gate', () => {
    const before = shown(screen);
    const old = gate('00000000-gate', { runId: SECOND.runId, createdAt: ago(9_000) });
    const ended = run({ runId: 'cccccccc-run', waitsForPerson: true, createdAt: ago(9_999) });
    const answers = [
      [PENDING.key, { value: [old, FIRST, SECOND] }],
      ['run.list {"limit":1000}', { value: [ended, ...RUNS] }],
    ] as const;
    const moved = update(before, { type: 'data', answers }, before.now).model;
    expect(rows(moved).findIndex((row) => row.startsWith('▌'))).toBe(2);
    expect(decisionOf(press(asked(moved, 'a'), 'y').commands).params.approvalId).toBe(FIRST.id);
  });

  test('after a decision the next gate opens, which takes decisions after a look', () => {
    const { model, commands } = press(asked(shown(screen), 'a'), 'y');
    const command = decisionOf(commands);
    const next = command.then(model, done(command)).model;
    expect(next.place).toEqual({ screen: 'approval', id: SECOND.id });
    expect(toasts(next)[0]).toContain('Approved: spec_approved (spec) of run aaaaaaaa.');
    const ready = read(next, answersFor([SECOND]));
    expect(press(ready, 'a').commands).toEqual([]);
    expect(decisionOf(press(ready, 'a', LOOKED).commands).params.approvalId).toBe(SECOND.id);
    expect(press(ready, 'escape').model.place).toEqual({ screen });
  });

  test('after the last decision the list stays, and so it does if the person went elsewhere', () => {
    const { model, commands } = press(asked(shown(screen, [FIRST]), 'a'), 'y');
    const command = decisionOf(commands);
    expect(command.then(model, done(command)).model.place).toEqual({ screen });
    const both = press(asked(shown(screen), 'a'), 'y');
    const decided = decisionOf(both.commands);
    const elsewhere = press(both.model, '3').model;
    expect(decided.then(elsewhere, done(decided)).model.place).toEqual({ screen: 'sessions' });
    const filtering = press(both.model, 'S').model;
    expect(decided.then(filtering, done(decided)).model.overlay).toBe(filtering.overlay);
  });

  test('asks once more before it approves over comments that were not sent', () => {
    const question = asked(shown(screen), 'a', page(FIRST, { takesComments: true }));
    const [stream] = screenOf(question).streams?.(question) ?? [];
    expect(stream).toMatchObject({ type: 'review', gate: { approvalId: FIRST.id } });
    const draft = { id: 'd', approvalId: FIRST.id, shown: 'cd'.repeat(6), at: ago(9), comment: {} };
    const review = { drafts: [draft], read: [], sending: undefined, inFlight: [], strange: 0 };
    const event = { type: 'review', approvalId: FIRST.id, review: review as never } as const;
    const told = update(question, event, question.now).model;
    const again = press(told, 'y');
    expect(again.commands).toEqual([]);
    expect(seen(again.model)).toContain('Approve spec_approved (spec) without your comments?');
    expect(seen(again.model)).toContain('1 comment stays unsent. Open the gate to send it.');
    expect(decisionOf(press(again.model, 'y').commands).params.approvalId).toBe(FIRST.id);
    expect(press(again.model, 'enter').model.place).toEqual({ screen: 'approval', id: FIRST.id });
    const old = { ...review, drafts: [{ ...draft, approvalId: 'before' }] } as never;
    const early = update(question, { type: 'review', approvalId: FIRST.id, review: old }, question.now).model;
    expect(seen(press(early, 'y').model)).toContain('1 comment from the gate before stays unsent.');
    const closed = press(question, 'n').model;
    expect(screenOf(closed).streams?.(closed)).toEqual([]);
  });

  test('c sends a comment, and asks again with it if the daemon refuses', () => {
    const typing = press(shown(screen), ['c', ...'in German']).model;
    expect(seen(typing)).toContain('What should change? spec_approved (spec) of run aaaaaaaa');
    const { model, commands } = press(typing, 'enter');
    const command = decisionOf(commands);
    expect(command.params).toEqual({ approvalId: FIRST.id, action: 'request_changes', comment: 'in German' });
    const refused = command.failed?.(model, { code: 'changes_under_decision', message: 'The branch moved.' }).model;
    expect(refused && toasts(refused)).toEqual(['The branch moved.']);
    expect(refused?.overlay).toMatchObject({ kind: 'input', field: { text: 'in German' } });
    expect(press(press(shown(screen), 'c').model, 'enter').commands).toEqual([]);
  });

  test('a comment that the daemon refuses while the person is elsewhere is kept for the gate', () => {
    const { model, commands } = press(shown(screen), ['c', ...'in German', 'enter']);
    const elsewhere = press(model, '3').model;
    const refused = decisionOf(commands).failed?.(elsewhere, { code: 'internal', message: 'It broke.' }).model;
    expect(refused?.overlay).toBeUndefined();
    const back = { ...(refused ?? model), place: model.place };
    expect(press(back, 'c').model.overlay).toMatchObject({ field: { text: 'in German' } });
    const there: Model = { ...back, place: { screen: 'approval', id: FIRST.id } };
    expect(press(read(there, answersFor([FIRST, SECOND])), 'c').model.overlay).toMatchObject({
      field: { text: 'in German' },
    });
    const command = decisionOf(commands);
    const taken = command.then(back, done(command)).model;
    expect(press({ ...taken, place: model.place }, 'c', LOOKED).model.overlay).toMatchObject({ field: { text: '' } });
  });

  test('a comment that is typed too fast is kept', () => {
    const now = given({ screen }, answersFor([FIRST]), { columns: 100, rows: 30 });
    const { model, commands } = press(now, ['c', ...'x', 'enter']);
    expect(commands).toEqual([]);
    expect(model.overlay).toMatchObject({ kind: 'input', field: { text: 'x' } });
  });

  test('a comment goes on in the editor', () => {
    const [edit] = press(shown(screen), ['c', ...'in German', 'C-e']).commands;
    if (edit?.type !== 'edit') throw new Error('no editor');
    expect(edit.text).toContain(`in German\n${SCISSORS}\n`);
    const sent = edit.then(shown(screen), edit.text.replace('in German', 'in German\n\nand Latin'));
    expect(decisionOf(sent.commands).params.comment).toBe('in German\n\nand Latin');
    expect(edit.then(shown(screen), `\n${SCISSORS}\n`).commands).toEqual([]);
    expect(edit.then(shown(screen), 'all').model.overlay).toMatchObject({ kind: 'input', field: { text: 'all' } });
  });

  test('R rejects after a second key', () => {
    const question = asked(shown(screen), 'R');
    expect(seen(question)).toContain('Reject spec_approved (spec)?');
    expect(seen(question)).toContain('! Two files are not committed.');
    expect(decisionOf(press(question, 'y').commands).params).toMatchObject({ approvalId: FIRST.id, action: 'reject' });
  });

  test('m answers an agent whose turn has ended, and says elsewhere why not', () => {
    const turn = gate('33333333-turn', { kind: 'turn', gateKey: 'turn_ended', words: 'Which\u001b[2J colour?' });
    const typing = press(shown(screen, [turn]), ['m', ...'blue']).model;
    expect(seen(typing)).toContain('Message to the agent of run aaaaaaaa');
    expect(seen(typing)).toContain('Which␛[2J colour?');
    expect(decisionOf(press(typing, 'enter').commands).params).toEqual({
      approvalId: turn.id,
      action: 'request_changes',
      comment: 'blue',
    });
    expect(press(press(shown(screen, [turn]), 'm').model, 'enter').commands).toEqual([]);
    expect(toasts(press(shown(screen), 'm').model)).toEqual([
      screen === 'runs'
        ? 'message: the run has no agent yet.'
        : 'message: no agent waits for a text here (c requests changes).',
    ]);
  });

  test('A goes to the agent of the run, D to its changes, M applies only ended runs', () => {
    const sessions = [session()];
    const model = shown(screen, [FIRST], {
      'session.list': sessions,
      'run.get': { ...run(), sessions, approvals: [], phases: [], requirements: '', reason: null, lastSeq: 0 },
    });
    expect(press(model, 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
    expect(press(model, 'D').model.place).toEqual({ screen: 'run', id: RUN });
    expect(toasts(press(model, 'M').model)).toEqual(['apply: the run has not ended.']);
  });

  test.each([
    [FIRST, { state: 'paused' as const }, 'a', 'approve: the gate timed out; resume the run first.'],
    [FIRST, { gateKey: 'host_unreachable' }, 'a', 'approve: this gate takes only reject or abort.'],
    [FIRST, { kind: 'cleanup' as const }, 'c', 'changes: this gate takes only approve or reject.'],
  ])('says why a decision is not possible: %j %j', (of, more, key, why) => {
    const { model, commands } = press(shown(screen, [{ ...of, ...more }]), key);
    expect(commands).toEqual([]);
    expect(toasts(model)).toEqual([why]);
  });

  test('says what only the gate itself knows once it is read', () => {
    const refuses = page(FIRST, { actions: ['reject', 'abort'] });
    const model = asked(shown(screen), 'a', refuses);
    expect(model.overlay).toBeUndefined();
    expect(toasts(model)).toEqual(['approve: this gate takes only reject or abort.']);
  });

  test('decides nothing without a daemon, during another decision, or in a paused run', () => {
    const away = { ...shown(screen), link: { state: 'away', since: 0 } as const };
    expect(toasts(press(away, 'a').model)).toEqual(['approve: the daemon is not running.']);
    const busy = update(shown(screen), { type: 'commandStarted', doing: 'deciding' }, NOW_LATER).model;
    expect(toasts(press(busy, 'R').model)).toEqual(['reject: another decision is in progress.']);
    const paused = shown(screen, [FIRST], { 'run.list': [run({ state: 'paused' })] });
    expect(toasts(press(paused, 'c').model)).toEqual(['changes: the run is paused; resume it first.']);
  });
});

const NOW_LATER = shown('runs').now;

test('says what a row without a gate waits for', () => {
  const asks = shown('runs', [], { 'run.list': [run({ state: 'executing', waitsForPerson: true })] });
  expect(toasts(press(asks, 'a').model)).toEqual(['approve: answer the agent in its pane (A attaches).']);
  const works = shown('runs', [], { 'run.list': [run({ state: 'executing', waitsForPerson: false })] });
  expect(toasts(press(works, 'c').model)).toEqual(['changes: no gate of the run waits for you.']);
  const ended = shown('runs', [], { 'run.list': [run({ state: 'completed', waitsForPerson: false })] });
  expect(toasts(press(ended, 'm').model)).toEqual(['message: the run has ended.']);
  expect(toasts(press(shown('runs', [], { 'run.list': [] }), 'R').model)).toEqual(['reject: no run is selected.']);
  expect(toasts(press(shown('approvals', []), 'a').model)).toEqual(['approve: no gate is selected.']);
});

test('in the list of decided gates nothing is decided again', () => {
  const decided = gate('44444444-done', { state: 'approved', resolvedAt: ago(5) });
  const list = press(shown('approvals', [FIRST], { 'approval.list': [decided] }), 'f').model;
  const model = read(list, answersFor([FIRST], { 'approval.list': [decided] }));
  expect(toasts(press(model, 'a').model)).toEqual(['approve: the gate is already decided: approved.']);
});

test('of several gates of a run, the first to decide is that of its row', () => {
  const other = gate('55555555-gate', { gateKey: 'plan_approved', createdAt: ago(500) });
  const question = asked(shown('runs', [FIRST, other]), 'a', page(other));
  expect(decisionOf(press(question, 'y').commands).params.approvalId).toBe(other.id);
});
