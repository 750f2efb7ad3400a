import { expect, test } from 'vitest';
import { toast } from '../../../tui/model/toast.ts';
import { wakeAt } from '../../../tui/update/wake.ts';
import { givenModel } from '../given.ts';
import { ago, given, lists, NOW, RUN, run, SESSION, session, sessionDetail } from '../screens/givenScreen.ts';

test('an idle dashboard sleeps until the age of a run changes: a second, a minute, an hour', () => {
  const shown = (...seconds: number[]) =>
    given(
      { screen: 'runs' },
      lists({ 'run.list': seconds.map((each, nth) => run({ runId: `r${nth}`, createdAt: ago(each) })) }),
    );
  expect(wakeAt(shown())).toBeUndefined();
  expect(wakeAt(shown(7201))).toBe(NOW + 3599_000);
  expect(wakeAt(shown(7201, 90))).toBe(NOW + 30_000);
  expect(wakeAt(shown(7201, 90, 5))).toBe(NOW + 1000);
});

test('wakes every second for an open run, and with the age of an ended one', () => {
  const more = { phases: [], bindings: [], approvals: [], sessions: [], commands: [], artifacts: [] };
  const at = (found: object) =>
    given(
      { screen: 'run', id: RUN },
      { 'run.get': { ...run(), baseCommit: 'abc', branch: null, reason: null, requirements: '', ...more, ...found } },
    );
  expect(wakeAt(at({ startedAt: ago(61) }))).toBe(NOW + 1000);
  expect(wakeAt(at({ startedAt: ago(2 * 3600 + 10) }))).toBe(NOW + 50_000);
  expect(wakeAt(at({ state: 'completed', startedAt: ago(900), endedAt: ago(600) }))).toBe(NOW + 60_000);
});

test('wakes for toasts, the banner, and the age of an agent’s prompt', () => {
  const none = givenModel();
  expect(wakeAt(none)).toBeUndefined();
  expect(wakeAt(toast(none, 'good', 'done'))).toBe(none.now + 4000);
  expect(wakeAt({ ...none, link: { state: 'away', since: none.now - 2300 } })).toBe(none.now + 700);
  const told = session({ lastPromptAt: ago(30) });
  expect(wakeAt(given({ screen: 'sessions' }, lists({ 'session.list': [told] })))).toBe(NOW + 1000);
  const detail = { 'session.get': sessionDetail({ lastPromptAt: ago(3600) }) };
  expect(wakeAt(given({ screen: 'session', id: SESSION }, detail))).toBe(NOW + 3_600_000);
});
