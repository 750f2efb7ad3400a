import { describe, expect, test } from 'vitest';
import type { MessageView } from '../../../../schemas/rpc/views/message.ts';
import type { CallCommand, Command, Model, ScreenId } from '../../../../tui/model/model.ts';
import { update } from '../../../../tui/update/update.ts';
import { seen } from '../../given.ts';
import { ago, gate, given, lists, press, RUN, run, SESSION, session, sessionDetail, toasts } from '../givenScreen.ts';

const message = (more: Partial<MessageView> = {}): MessageView => ({
  messageId: 'm1',
  runId: RUN,
  sessionId: SESSION,
  roleId: 'planner',
  laneId: 'main',
  text: 'Use\u001b[2J tabs.',
  by: 'person',
  state: 'queued',
  position: 1,
  waitsFor: "the end of its agent's turn",
  at: ago(5),
  sentAt: null,
  proof: null,
  doubt: null,
  ...more,
});
const TWO = [message(), message({ messageId: 'm2', text: 'And no semicolons.', position: 2 })];
const SAID = { lastWords: { text: 'I read the specification.', at: ago(90), by: 'record' as const } };
const PLACES: Record<string, { screen: ScreenId; id?: string }> = {
  sessions: { screen: 'sessions' },
  session: { screen: 'session', id: SESSION },
  runs: { screen: 'runs' },
  run: { screen: 'run', id: RUN },
};

/** The planner is busy, and these messages wait for it. */
function shown(place: string, messages: readonly MessageView[] = TWO, more: object = {}): Model {
  const about = session({ messages: messages.length || undefined, ...more });
  const parts = {
    phases: [],
    bindings: [],
    approvals: [],
    commands: [],
    artifacts: [],
    alsoWaitsFor: [],
    templates: [],
  };
  const detail = { ...run(), ...parts, sessions: [about], requirements: '', reason: null, lastSeq: 0, baseCommit: 'a' };
  const answers = lists({
    'run.list': [run({ state: 'executing', waitsForPerson: false })],
    'session.list': [about],
    'session.get': sessionDetail({ ...about, ...SAID }),
    'message.list': messages,
    'run.get': { ...detail, branch: null },
    'run.events': [],
  });
  return given(PLACES[place] ?? { screen: 'runs' }, answers, { columns: 110, rows: 34 });
}

function callOf(commands: readonly Command[]): CallCommand<'message.send'> {
  const found = commands.find((each) => each.type === 'call');
  if (!found) throw new Error('nothing is called');
  return found as unknown as CallCommand<'message.send'>;
}

describe.each(Object.keys(PLACES))('on %s', (place) => {
  test('m writes to the agent, and asks for the text again if it was not sent', () => {
    const typing = press(shown(place), ['m', ...'hello']).model;
    expect(seen(typing)).toContain('Message to planner of run aaaaaaaa');
    const sent = callOf(press(typing, 'enter').commands);
    expect(sent.method).toBe('message.send');
    expect(sent.params).toMatchObject({ target: SESSION, text: 'hello', via: 'person' });
    const lost = sent.failed?.({ ...typing, overlay: undefined }, { code: 'internal', message: 'It broke.' }).model;
    expect(lost && seen(lost)).toContain('hello');
    // The first try may have arrived.
    expect(lost && callOf(press(lost, 'enter').commands).params).toEqual(sent.params);
    const after = sent.then(typing, [message({ text: 'hello', position: 3, waitsFor: 'an earlier message' })]).model;
    expect(toasts(after)).toEqual(['The message waits for an earlier message; x takes it back.']);
  });

  test('x takes back the message that the person chooses', () => {
    const choosing = press(shown(place), 'x').model;
    expect(seen(choosing)).toContain('And no semicolons.');
    const { method, params } = callOf(press(choosing, ['down', 'enter']).commands);
    expect([method, params]).toEqual(['message.withdraw', { messageId: 'm2', runId: RUN }]);
    const one = press(shown(place, TWO.slice(0, 1)), 'x').model;
    expect(callOf(press(one, 'y').commands).params).toMatchObject({ messageId: 'm1' });
    expect(toasts(press(shown(place, []), 'x').model)).toEqual(['take back: no message waits for the agent.']);
  });
});

test.each(['sessions', 'session', 'runs'])('%s shows what the agent said last, and what waits for it', (place) => {
  const text = seen(shown(place));
  for (const part of [
    'I read the specification.',
    "◌ queued 1  Use␛[2J tabs.  waits for the end of its agent's turn",
    '◌ queued 2  And no semicolons.',
  ])
    expect(text).toContain(part);
});

test('rows name the number of messages that wait', () => {
  expect(seen(shown('sessions'))).toContain('planner ◌2');
});

test('an agent that has ended gets no message', () => {
  const ended = shown('session', [], { state: 'ENDED', paneId: null });
  expect(toasts(press(ended, 'm').model)).toEqual(['message: the agent has ended.']);
});

test('an agent whose turn has ended gets the text as the answer at its gate', () => {
  const stall = { cause: 'idle' as const, detail: 'Which colour?', until: null, since: ago(9) };
  const turn = gate('33333333-turn', { kind: 'turn', gateKey: 'turn_ended', words: 'Which colour?' });
  const answers = lists({
    'session.list': [session({ stall })],
    'session.get': sessionDetail({ stall }),
    'approval.list pending': [turn],
  });
  const typing = press(given({ screen: 'sessions' }, answers), ['m', ...'blue']).model;
  // Text that was meant for another gate is not sent to one that has just appeared.
  expect(press(typing, 'enter').commands).toEqual([]);
  const { commands } = press(update(typing, { type: 'tick' }, typing.now + 1_500).model, 'enter');
  expect(commands).toMatchObject([{ type: 'decide', params: { approvalId: turn.id, comment: 'blue' } }]);
});

test('one text goes to the agents of all marked runs, and each result is shown', () => {
  const other = 'bbbbbbbb-0000-4000-8000-000000000002';
  const runs = [run({ state: 'executing' }), run({ runId: other, state: 'executing' })];
  const model = given({ screen: 'runs' }, lists({ 'run.list': runs }), { columns: 110, rows: 34 });
  const typing = press(model, ['*', 'm', ...'stop']).model;
  expect(seen(typing)).toContain('Message to the 2 agents of the marked runs');
  const first = callOf(press(typing, 'enter').commands);
  const { model: after, commands } = first.then(typing, [message({ state: 'sent' })]);
  const second = callOf(commands);
  expect([first.params, second.params]).toMatchObject([{ target: RUN }, { target: other }]);
  const done = second.failed?.(after, { code: 'ambiguous_id', message: 'It has several agents.' }).model;
  expect(done && seen(done)).toContain('1 message written, 1 refused');
  expect(done && seen(done)).toContain('It has several agents.');
});
