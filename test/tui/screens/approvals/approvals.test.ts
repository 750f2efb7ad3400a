import { expect, test } from 'vitest';
import { seen } from '../../given.ts';
import {
  ago,
  detail,
  gate,
  given,
  lists,
  press,
  RUN,
  read,
  rows,
  SESSION,
  session,
  text,
  toasts,
} from '../givenScreen.ts';

const OLD = gate('11111111-old', { createdAt: ago(3600), gateKey: 'plan_approved', phaseKey: 'plan', attempt: 2 });
const NEW = gate('22222222-new', { createdAt: ago(5) });
const STUCK = gate('33333333-stuck', { createdAt: ago(60), kind: 'recovery', gateKey: 'recovery' });
const asking = session({
  stall: { cause: 'question', detail: '{bold}Which\u001b[2J colour?{/}', until: null, since: ago(120) },
});
const answers = lists({
  'approval.list pending': [NEW, STUCK, OLD],
  'session.list': [asking, session({ sessionId: 'busy', roleId: 'implementer' })],
  'approval.list undefined': [gate('done', { state: 'approved', resolvedAt: ago(10) }), NEW],
  'approval.get': detail(OLD.id),
});
const inbox = (size?: { columns: number; rows: number }) => given({ screen: 'approvals' }, answers, size);

test('lists gates, the oldest first, and then agents that ask', () => {
  const shown = rows(inbox());
  expect(shown[0]).toContain('waiting for you');
  expect(shown.slice(1, 5)).toEqual([
    expect.stringMatching(/▌\? plan_approved +plan #2 +Greet by name +aaaaaaaa +1h/),
    expect.stringMatching(/ ! recovery +spec #1/),
    expect.stringMatching(/ \? spec_approved +spec #1 .* 5s/),
    expect.stringMatching(/ \? planner asks a question: \{bold\}Which/),
  ]);
});

test('shows the text of an agent without control characters', () => {
  const shown = text(inbox({ columns: 200, rows: 60 }));
  expect(shown).toContain('{bold}Which␛[2J');
  expect(shown).not.toContain('\u001b');
});

test('a wide terminal shows a preview beside the list', () => {
  const shown = rows(inbox({ columns: 200, rows: 60 }));
  expect(shown).toHaveLength(58);
  expect(shown.slice(1, 3).join('\n')).toMatch(/│ +Accept the result of "Write the specification"/);
});

test('Enter opens a gate, or the session of an agent that asks', () => {
  expect(press(inbox(), 'enter').model.place).toEqual({ screen: 'approval', id: OLD.id });
  expect(press(inbox(), ['G', 'enter']).model.place).toEqual({ screen: 'session', id: SESSION });
  expect(press(inbox(), 'u').model.place).toEqual({ screen: 'run', id: RUN });
});

test('A attaches to an agent that asks, or to the agent of the run of a gate', () => {
  expect(press(inbox(), ['G', 'A']).commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
  expect(press(inbox(), ['G', 'V']).commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: true }]);
  expect(press(inbox(), 'A').commands).toEqual([{ type: 'attach', sessionId: SESSION, readOnly: false }]);
  const { model, commands } = press(given({ screen: 'approvals' }, { ...answers, 'session.list': [] }), 'A');
  expect(commands).toEqual([]);
  expect(toasts(model)).toEqual(['attach: no session is selected.']);
});

test('f switches between decided and waiting gates', () => {
  expect(seen(inbox())).toContain(' f decided ');
  const decided = read(press(inbox(), 'f').model, answers);
  expect(seen(decided)).toContain(' f waiting ');
  expect(seen(decided)).not.toContain(' f decided ');
  expect(rows(decided)[1]).toMatch(/▌✓ approved spec_approved .* 10s/);
  expect(rows(decided)).toHaveLength(2);
  expect(text(press(decided, 'f').model)).toContain('plan_approved');
});

test('says that nothing waits', () => {
  expect(text(given({ screen: 'approvals' }, lists()))).toContain('Nothing waits for you. f shows the decided gates.');
  expect(text(given({ screen: 'approvals' }, {}))).toContain('Loading');
});
