import { expect, test } from 'vitest';
import type { CallCommand, Command, Model } from '../../../../tui/model/model.ts';
import { activeBindings } from '../../../../tui/screens/index.ts';
import { update } from '../../../../tui/update/update.ts';
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
  expect(seen(asked)).toContain('1 file is not committed');
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
