import { expect, test } from 'vitest';
import { ago, given, lists, press, RUN, rows, run, SESSION, session, text, toasts } from '../approvals/givenInbox.ts';

const ENDED = 'bbbbbbbb-0000-4000-8000-000000000002';
const asks = session({
  ...{ sessionId: 'asks', roleId: 'reviewer', backend: 'codex' },
  stall: { cause: 'login', detail: 'please /login', until: null, since: ago(9) },
});
const answers = lists({
  'run.list': [run(), run({ runId: ENDED, state: 'completed' })],
  'session.list': [session(), session({ sessionId: 'gone', runId: ENDED, roleId: 'old', paneId: null }), asks],
});
const shown = (size?: { columns: number; rows: number }) => given({ screen: 'sessions' }, answers, size);

test.each([
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
])('those of open runs, who waits for a person first: %j', (size) => {
  const seen = rows(shown(size));
  expect(seen).toHaveLength(3);
  expect(seen[0]).toMatch(/^ state +role +agent +run +repository +pane +prompt/);
  expect(seen[1]).toMatch(/^▌\? must be l.* reviewer +codex +aaaaaaaa greeter +%7 +30s/);
  expect(seen[2]).toMatch(/^ ● busy +planner +claude +aaaaaaaa greeter +%7 +30s/);
});

test('f shows those of ended runs, too', () => {
  const all = press(shown(), 'f').model;
  expect(rows(all)).toHaveLength(4);
  expect(rows(all)[3]).toContain('old');
  expect(toasts(press(all, ['G', 'A']).model)).toEqual(['attach: the agent has no pane.']);
  expect(rows(press(all, 'f').model)).toHaveLength(3);
});

test('Enter opens one, o its run, A and V go to its pane', () => {
  expect(press(shown(), ['j', 'enter']).model.place).toEqual({ screen: 'session', id: SESSION });
  expect(press(shown(), 'u').model.place).toEqual({ screen: 'run', id: RUN });
  expect(press(shown(), 'A').commands).toEqual([{ type: 'attach', sessionId: 'asks', readOnly: false }]);
  expect(press(shown(), 'V').commands).toEqual([{ type: 'attach', sessionId: 'asks', readOnly: true }]);
});

test('there may be none', () => {
  const none = given({ screen: 'sessions' }, lists());
  expect(text(none)).toContain('No open run has an agent. f shows those that ended.');
  expect(toasts(press(none, ['enter', 'u', 'A']).model)).toEqual([
    'open: there is no session.',
    'run: there is no session.',
    'attach: there is no session.',
  ]);
});
