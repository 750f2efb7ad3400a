import { expect, test } from 'vitest';
import { seen } from '../../given.ts';
import { ago, given, lists, press, RUN, rows, run, SESSION, session, text, toasts } from '../givenScreen.ts';

const ENDED = 'bbbbbbbb-0000-4000-8000-000000000002';
const asks = session({
  sessionId: 'asks',
  roleId: 'reviewer',
  backend: 'codex',
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
])('lists the sessions of open runs, those that wait for a person first: %j', (size) => {
  const seen = rows(shown(size));
  expect(seen).toHaveLength(3);
  expect(seen[0]).toMatch(/^ state +role +backend +run +title +(repository +)?pane +prompt/);
  expect(seen[1]).toMatch(/^▌\? must be l.* reviewer +codex +aaaaaaaa Greet by name +(greeter +)?%7 +30s/);
  expect(seen[2]).toMatch(/^ ● busy +planner +claude +aaaaaaaa Greet by name +(greeter +)?%7 +30s/);
});

test('f also shows the sessions of ended runs, and hides them again', () => {
  const all = press(shown(), 'f').model;
  expect(rows(all)).toHaveLength(4);
  expect(rows(all)[3]).toContain('old');
  expect(seen(shown())).toContain(' f all sessions ');
  expect(seen(all)).toContain(' f open runs ');
  expect(toasts(press(all, ['G', 'A']).model)).toEqual(['attach: the agent has no pane.']);
  expect(rows(press(all, 'f').model)).toHaveLength(3);
});

test('Enter opens a session, u its run, A and V attach to its pane', () => {
  expect(press(shown(), ['j', 'enter']).model.place).toEqual({ screen: 'session', id: SESSION });
  expect(press(shown(), 'u').model.place).toEqual({ screen: 'run', id: RUN });
  expect(press(shown(), 'A').commands).toEqual([{ type: 'attach', sessionId: 'asks', readOnly: false }]);
  expect(press(shown(), 'V').commands).toEqual([{ type: 'attach', sessionId: 'asks', readOnly: true }]);
});

test('says that there are no sessions', () => {
  const none = given({ screen: 'sessions' }, lists());
  expect(text(none)).toContain('No open run has a session. f shows those of ended runs.');
  expect(toasts(press(none, ['enter', 'u', 'A']).model)).toEqual([
    'open: no session is selected.',
    'run: no session is selected.',
    'attach: no session is selected.',
  ]);
});
