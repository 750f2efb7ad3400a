import { expect, test } from 'vitest';
import { statusText, tallyOf } from '../../../daemon/statusLine/text.ts';
import { bound, firstPhaseDone, given, sent, stalls, started } from '../core/support/given.ts';

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
  expect(statusText({ running: 0, approvals: 0, trouble: 0 }, 'ascii', since)).toEqual(waits);
  expect(statusText({ running: 2, approvals: 0, trouble: 0 }, 'utf-8', since)).toMatch(/^▸2 waits for Temporal since /);
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
