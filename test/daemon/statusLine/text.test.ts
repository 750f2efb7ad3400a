import { expect, test } from 'vitest';
import { statusText, tallyOf, titleInNeed } from '../../../daemon/statusLine/text.ts';
import { bound, done, failed, firstPhaseDone, given, sent, stalls, started } from '../core/support/given.ts';
import { message } from '../core/support/messages.ts';

const waiting = [bound, started, sent];

test.each([
  [{ running: 2, approvals: 1, trouble: 1 }, '▸2 ?1 !1', '>2 ?1 !1'],
  [{ running: 0, approvals: 12, trouble: 0 }, '?12', '?12'],
  [{ running: 0, approvals: 0, trouble: 0 }, '', ''],
])('%o', (tally, utf8, ascii) => {
  expect([statusText(tally, 'utf-8'), statusText(tally, 'ascii')]).toEqual([utf8, ascii]);
});

test('says after the counts that the server of the engine is away', () => {
  const since = '2026-01-02T03:04:05.000Z';
  const waits = expect.stringMatching(/^waits for Temporal since \d\d:\d\d$/);
  const awaySince = since;
  expect(statusText({ running: 0, approvals: 0, trouble: 0 }, 'ascii', { awaySince })).toEqual(waits);
  expect(statusText({ running: 2, approvals: 0, trouble: 0 }, 'utf-8', { awaySince })).toMatch(
    /^▸2 waits for Temporal since /,
  );
});

test('counts each open run once, under the most urgent heading', () => {
  const working = given({}, ...waiting).run;
  const gate = given({}, ...firstPhaseDone).run;
  const asks = given({}, ...waiting, stalls('planner', 'permission')).run;
  const login = given({}, ...waiting, stalls('planner', 'login')).run;
  const ended = given({}, ...waiting, stalls('planner', 'idle')).run;
  const quota = given({}, ...waiting, stalls('planner', 'quota')).run;
  const over = { ...working, state: 'completed' as const };
  const paused = { ...working, state: 'paused' as const };
  const runs = [working, quota, gate, ended, asks, login, over, paused];
  expect(tallyOf(runs)).toEqual({ running: 2, approvals: 2, trouble: 2 });
});

test('counts a gate once a rule has left it to the person', () => {
  const asked = given({ autoGates: [{ gate: 'spec_approved', if: ['no_open_questions'] }] }, ...firstPhaseDone);
  expect(tallyOf([asked.run])).toEqual({ trouble: 0, approvals: 0, running: 1 });
  expect(tallyOf([asked.on(done('checkRule', 1)).run])).toEqual({ trouble: 0, approvals: 1, running: 0 });
});

test('counts a message that may not have arrived', () => {
  const doubted = given({}, ...firstPhaseDone, message('planner'), failed('sendMessage', 'delivery_uncertain'));
  expect(tallyOf([doubted.run])).toEqual({ trouble: 1, approvals: 0, running: 0 });
});

test('names the run that needs a person, if it is only one', () => {
  const working = given({}, ...waiting).run;
  const gate = given({ title: 'Greet by name' }, ...firstPhaseDone).run;
  const asks = given({}, ...waiting, stalls('planner', 'permission')).run;
  expect(titleInNeed([working, gate])).toBe('Greet by name');
  expect(titleInNeed([working, gate, asks])).toBe(undefined);
  expect(titleInNeed([working, { ...gate, state: 'completed' }])).toBe(undefined);
});

test.each([
  ['Greet by name', '?1 Greet by name', '?1 Greet by name'],
  ['Greet a person by name, or not', '?1 Greet a person by name, …', '?1 Greet a person by name, ..'],
  ['名前'.repeat(20), `?1 ${'名前'.repeat(6)}…`, `?1 ${'?'.repeat(24)}..`],
  ['#[fg=red]#(rm) 100%', '?1 ##[fg=red]##(rm) 100%', '?1 ##[fg=red]##(rm) 100%'],
  ['a\u001b[2Jb\u202e', '?1 a␛[2Jb<U+202E>', '?1 a?[2Jb<U+202E>'],
])('the title %s is short, and nothing in it is a style', (title, utf8, ascii) => {
  const tally = { running: 0, approvals: 1, trouble: 0 };
  expect([statusText(tally, 'utf-8', { title }), statusText(tally, 'ascii', { title })]).toEqual([utf8, ascii]);
});

test('counts no queued run, but one that only a person lets begin is in trouble', () => {
  const queued = given({}).run;
  const stuck = { ...queued, id: 'stuck', title: 'Greetings' };
  const queue = new Map([
    [queued.id, { needsPerson: false }],
    ['stuck', { needsPerson: true }],
  ]);
  expect(tallyOf([queued, stuck], queue)).toEqual({ running: 0, approvals: 0, trouble: 1 });
  expect(titleInNeed([queued, stuck], queue)).toBe('Greetings');
});
