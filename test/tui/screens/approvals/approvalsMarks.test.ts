import { describe, expect, test } from 'vitest';
import type { ApprovalDetail } from '../../../../schemas/rpc/views/approval.ts';
import type { Alarm } from '../../../../schemas/rpc/views/sheet.ts';
import type { CallCommand, Command, Model } from '../../../../tui/model/model.ts';
import { activeBindings, screenOf } from '../../../../tui/screens/index.ts';
import { update } from '../../../../tui/update/update.ts';
import { givenSheet } from '../../../schemas/sheet/givenSheet.ts';
import { seen } from '../../given.ts';
import { detail, gate, given, lists, press, read, rows, run, session, toasts } from '../givenScreen.ts';

const id = (nth: number) => `${nth}`.repeat(8).concat('-0000-4000-8000-000000000001');
const other = run({ runId: 'bbbbbbbb-0000-4000-8000-000000000001', repoPath: '/home/ada/atlas', state: 'paused' });
const GATES = [
  gate(id(1)),
  gate(id(2), { gateKey: 'plan_approved', phaseKey: 'plan', attempt: 2 }),
  gate(id(3), { gateKey: 'cleanup_forced', kind: 'cleanup' }),
  gate(id(4), { runId: other.runId, gateKey: 'changes_approved', phaseKey: 'implement' }),
];
const asking = session({
  stall: { cause: 'question', detail: 'which?', until: null, since: '2025-03-04T11:00:00.000Z' },
});
const answers = lists({
  'run.list': [run(), other],
  'run.list plan': [],
  'approval.list pending': GATES,
  'session.list': [asking],
  ...Object.fromEntries(
    GATES.map((each) => [`approval.get ${each.id}`, detail(each.id, { ...each, uncommittedFiles: 1 })]),
  ),
});
const inbox = (): Model => given({ screen: 'approvals' }, answers, { columns: 100, rows: 30 });
const keys = (model: Model, ...all: string[]) =>
  all.reduce((before, key) => read(press(before, key).model, answers), model);

test('Space marks a gate and selects the next one; Space again unmarks it', () => {
  const one = keys(inbox(), ' ');
  expect(rows(one)[0]).toContain('waiting for you, 1 marked');
  expect(rows(one)[1]).toMatch(/^ \* spec_approved/);
  expect(rows(one)[2]).toMatch(/^▌\? plan_approved/);
  expect(rows(keys(one, 'k', ' '))[0]).not.toContain('marked');
});

test('Space says why a gate cannot be marked', () => {
  const said = (...moves: string[]) => toasts(keys(inbox(), ...moves, ' ')).at(-1);
  expect(said('j', 'j')).toBe('mark: a cleanup gate removes files; decide it on its own screen.');
  expect(said('j', 'j', 'j')).toBe('mark: the run is paused; resume it first.');
  expect(said('G')).toBe('mark: answer the agent in its pane (A attaches).');
  expect(toasts(keys(inbox(), 'f', ' ')).at(-1)).toBe('mark: no gate is selected.');
});

test.each(['recovery', 'turn'] as const)('a %s gate of a paused run can be marked', (kind) => {
  const only = gate(id(5), { runId: other.runId, gateKey: kind, kind });
  const shown = lists({ 'run.list': [run(), other], 'approval.list pending': [only], 'session.list': [] });
  const model = read(press(given({ screen: 'approvals' }, shown, { columns: 100, rows: 30 }), '*').model, shown);
  expect(rows(model)[0]).toContain('1 marked');
  expect(toasts(model)).toEqual([]);
});

test('* marks all filtered gates and says which it skipped; * again unmarks them', () => {
  const all = keys(inbox(), '*');
  expect(rows(all)[0]).toContain('2 marked');
  expect(toasts(all).at(-1)).toBe(
    'Marked 2 gates, skipped 3: a cleanup gate removes files; decide it on its own screen.',
  );
  expect(rows(keys(all, '*'))[0]).not.toContain('marked');
  const some = keys(inbox(), '/', ...'plan', 'enter', '*', 'escape');
  expect(rows(some)[0]).toContain('1 marked');
});

test('a gate that is decided elsewhere loses its mark', () => {
  const marked = keys(inbox(), '*');
  const [key] = [...marked.data.keys()].filter((each) => each.includes('"state":"pending"'));
  const left = update(marked, { type: 'data', answers: [[key ?? '', { value: GATES.slice(1) }]] }, marked.now).model;
  expect(rows(left)[0]).toContain('1 marked');
});

test('one question lists each gate with its attempt and hash; only y approves', () => {
  const asked = keys(inbox(), '*', 'a');
  expect(seen(asked)).toContain('Approve 2 gates?');
  expect(seen(asked)).toMatch(/• spec_approved \(spec\) #1 +run aaaaaaaa greeter +hash abababababab/);
  expect(seen(asked)).toMatch(/• plan_approved \(plan\) #2/);
  expect(seen(asked)).toContain('2 of 2 gates have alarms: uncommitted files (2).');
  expect(press(asked, 'n')).toMatchObject({ commands: [], model: { overlay: undefined } });
});

test('decides one gate after the other and shows each result, with the reason of a refusal', () => {
  const { model, commands } = press(keys(inbox(), '*', 'a'), 'y');
  const first = decisionOf(commands);
  expect(first.params).toEqual({ approvalId: id(1), action: 'approve' });
  const error = { code: 'changes_under_decision', message: 'The branch moved.', hint: 'Look at the new gate.' };
  const next = first.failed?.(model, error);
  const second = decisionOf(next?.commands ?? []);
  expect(second.params).toEqual({ approvalId: id(2), action: 'approve' });
  const done = second.then(next?.model ?? model, { approvalId: id(2), action: 'approve', created: true } as never);
  expect(done.commands).toEqual([]);
  expect(seen(done.model)).toContain('1 approved, 1 refused');
  expect(seen(done.model)).toMatch(/✗ spec_approved \(spec\) #1 of run aaaaaaaa refused \(changes_under_decision\)/);
  expect(seen(done.model)).toContain('✓ plan_approved (plan) #2 of run aaaaaaaa approved');
  // Only the refused gate stays marked.
  expect(rows(press(done.model, 'x').model)[0]).toContain('1 marked');
});

describe('what makes a person look twice', () => {
  const FAKE = {
    code: 'fake',
    sentence: 'A fake agent took part as implementer. What it wrote proves nothing.',
  } as const;
  const CHECKED = { code: 'not_checked', sentence: 'No command checked this change.' } as const;
  const sized = (gates: readonly ApprovalDetail[]): Model => {
    const all = lists({
      'approval.list pending': gates,
      ...Object.fromEntries(gates.map((each) => [`approval.get ${each.id}`, each])),
    });
    return press(read(press(given({ screen: 'approvals' }, all), '*').model, all), 'a').model;
  };
  const withAlarms = (nth: number, alarms: readonly Alarm[], more: Partial<ApprovalDetail> = {}): ApprovalDetail =>
    detail(`${nth}-gate`, {
      gateKey: `gate_${nth}`,
      shown: `${nth}`.repeat(64),
      sheet: givenSheet({ alarms: [...alarms] }),
      ...more,
    });
  const drafted = (model: Model, approvalId: string, count = 1): Model => {
    const drafts = Array.from({ length: count }, (_, nth) => ({
      id: `${nth}`,
      approvalId,
      shown: approvalId.slice(0, 1).repeat(12),
    }));
    const review = { drafts, read: [], sending: undefined, inFlight: [], strange: 0 } as never;
    return update(model, { type: 'review', approvalId, review }, model.now).model;
  };

  /** The words of the window, whatever row they are on. */
  const words = (model: Model): string => seen(model).replace(/[│\s]+/g, ' ');

  test('the question lists the alarms of each gate, those with alarms first, and counts them by name', () => {
    const asked = sized([withAlarms(1, []), withAlarms(2, [FAKE, CHECKED]), withAlarms(3, [FAKE])]);
    const shown = seen(asked);
    expect(words(asked)).toContain('2 of 3 gates have alarms: not checked (1), fake agent (2).');
    expect(shown).toMatch(
      /gate_2 \(spec\).*\n.*! A fake agent took part as implementer\. What it wrote proves nothi….*\n.*! No command checked this change\..*\n.*gate_3.*\n.*! A fake.*\n.*gate_1/,
    );
  });

  test('of many alarms of a gate, the last row names those that have no row', () => {
    const moved = { code: 'moved', sentence: 'The branch moved.' } as const;
    const nested = { code: 'nested', sentence: 'A repository is left out.' } as const;
    const shown = words(sized([withAlarms(1, [moved, CHECKED, nested, nested, FAKE])]));
    expect(shown).toContain(
      '1 of 1 gate has alarms: moved (1), nested repositories (1), not checked (1), fake agent (1).',
    );
    expect(shown).toContain('! 2 more: nested repositories, fake agent');
  });

  test('40 gates with alarms leave the counts and the keys in sight of a small terminal', () => {
    const codes = ['agent_decided', 'unreadable', 'moved', 'uncommitted', 'nested', 'not_done', 'unanswered'] as const;
    const more = ['audit_failed', 'unconfirmed', 'one_backend', 'low_signal', 'not_checked', 'drift', 'fake'] as const;
    const alarms = [...codes, ...more].map((code) => ({ code, sentence: `About ${code}.` }));
    const asked = sized(Array.from({ length: 40 }, (_, nth) => withAlarms(nth, alarms, { takesComments: true })));
    expect(seen(asked)).toContain('Approve 40 gates?');
    expect(words(asked)).toContain('agent tried to decide (40)');
    expect(words(asked)).toContain('fake agent (40)');
    expect(seen(asked)).toMatch(/↓ \d+ more; j and k scroll/);
    expect(seen(asked)).toContain('y approve all');
    expect(seen(press(asked, 'G').model)).toContain('gate_9');
  });

  test('approves exactly what was shown at each gate', () => {
    const first = press(sized([withAlarms(1, []), withAlarms(2, [FAKE])]), 'y');
    const { params, then } = decisionOf(first.commands);
    expect(params).toEqual({ approvalId: '2-gate', action: 'approve', shown: '2'.repeat(64) });
    const next = then(first.model, { approvalId: '2-gate', action: 'approve', created: true } as never);
    expect(decisionOf(next.commands).params).toMatchObject({ approvalId: '1-gate', shown: '1'.repeat(64) });
  });

  test('leaves out gates with comments that were not sent, and says so', () => {
    const asked = sized([1, 2].map((nth) => withAlarms(nth, [], { takesComments: true })));
    expect(words(asked)).toContain('A gate with comments that you did not send is left out.');
    const streams = screenOf(asked).streams?.(asked) ?? [];
    expect(streams.map((each) => each.type === 'review' && each.gate.approvalId)).toEqual(['1-gate', '2-gate']);
    const early = press(asked, 'y');
    expect(early.commands).toEqual([]);
    expect(toasts(early.model).at(-1)).toBe('Comments are not read yet; press again.');
    const first = press(drafted(drafted(early.model, '1-gate', 2), '2-gate', 0), 'y');
    const { params, then } = decisionOf(first.commands);
    expect(params).toMatchObject({ approvalId: '2-gate' });
    const done = then(first.model, { approvalId: '2-gate', action: 'approve', created: true } as never);
    expect(done.commands).toEqual([]);
    expect(seen(done.model)).toContain('1 approved, 0 refused, 1 left out');
    expect(words(done.model)).toContain(
      'gate_1 (spec) #1 of run aaaaaaaa left out: 2 comments stay unsent. Open the gate to send them.',
    );
    expect(rows(press(done.model, 'x').model)[0]).toContain('1 marked');
  });
});

test('reads gates that are not loaded yet before it asks', () => {
  const { model, commands } = press(press(inbox(), '*').model, 'a');
  expect(seen(model)).toContain('Reading…');
  const [first] = commands as unknown as CallCommand<'approval.get'>[];
  expect(first).toMatchObject({ type: 'call', method: 'approval.get', params: { approvalId: id(1) } });
  const next = first?.then(model, detail(id(1)));
  const [second] = (next?.commands ?? []) as unknown as CallCommand<'approval.get'>[];
  const asked = second?.then(next?.model ?? model, detail(id(2), GATES[1]));
  expect(asked && seen(asked.model)).toContain('Approve 2 gates?');
});

test('asks nothing after its window was closed, also while another one is open', () => {
  const { model, commands } = press(press(inbox(), '*').model, 'a');
  const [first] = commands as unknown as CallCommand<'approval.get'>[];
  const choosing = press(model, ['escape', 'S']).model;
  const next = first?.then(choosing, detail(id(1)));
  expect(next?.model.overlay).toBe(choosing.overlay);
});

test('scrolls a list that is longer than the terminal, and keeps the key y visible', () => {
  const many = Array.from({ length: 40 }, (_, nth) => gate(`${nth}-gate`, { gateKey: `gate_${nth}` }));
  const all = lists({
    'approval.list pending': many,
    ...Object.fromEntries(many.map((each) => [`approval.get ${each.id}`, detail(each.id, each)])),
  });
  const marked = read(press(given({ screen: 'approvals' }, all), '*').model, all);
  const asked = press(marked, 'a').model;
  expect(seen(asked)).toContain('Approve 40 gates?');
  expect(seen(asked)).not.toContain('gate_39');
  const end = press(asked, 'G').model;
  expect(seen(end)).toContain('gate_39');
  expect(seen(end)).toContain('y approve all');
});

test('no key has two meanings on the screen', () => {
  for (const model of [inbox(), keys(inbox(), 'f')]) {
    const all = activeBindings(model).flatMap((binding) => binding.keys);
    expect(all.filter((key, nth) => all.indexOf(key) !== nth)).toEqual([]);
  }
});

function decisionOf(commands: readonly Command[]): Extract<Command, { type: 'decide' }> {
  const found = commands.find((command) => command.type === 'decide');
  if (found?.type !== 'decide') throw new Error('nothing is decided');
  return found;
}
