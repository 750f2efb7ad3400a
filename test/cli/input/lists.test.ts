import { expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { whenEmpty } from '../../../cli/commands/approval/look.ts';
import { limitOf, printCutNote, stateOption, stateWords } from '../../../cli/input/lists.ts';
import { createProgram } from '../../../cli/program.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
import { RUN_STATES } from '../../../schemas/states/run.ts';
import { SESSION_STATES } from '../../../schemas/states/session.ts';
import { fakeIo } from '../fakeIo.ts';

const client = (total: number) => ({ call: async () => ({ total }) }) as unknown as Client;

test.each([
  ['nothing given', undefined, undefined, 100],
  ['--limit 5', 5, undefined, 5],
  ['--limit 0', 0, undefined, 0],
  ['--all', undefined, true, 0],
  ['--all --limit 5', 5, true, 5],
])('the limit of %s', (_, given, all, limit) => {
  expect(limitOf(given, all)).toBe(limit);
});

test.each([
  ['was cut', 100, 100, 132, 'Showing 100 of 132 runs, the newest. --limit 0 shows all.\n'],
  ['was cut but for open runs', 120, 100, 132, 'Showing 120 of 132 runs, the newest. --limit 0 shows all.\n'],
  ['is whole', 100, 100, 100, ''],
  ['is short', 3, 100, 3, ''],
  ['has no limit', 132, 0, 132, ''],
])('a list that %s says so on standard error only', async (_, shown, limit, total, said) => {
  const io = fakeIo();
  await printCutNote(io, client(total), { of: 'runs', shown, limit });
  expect(io.written).toEqual({ out: '', err: said });
});

test('an empty list says which gates it would show', () => {
  expect(whenEmpty({})).toMatch(/^No gate waits for a decision\./);
  expect(whenEmpty({ all: true })).toBe('There are no gates.');
  expect(whenEmpty({ all: true, state: 'rejected' })).toBe('No gate has the state rejected.');
});

test.each([
  ['decision', 'pending'],
  ['pending', 'pending'],
  ['changes asked', 'changes_requested'],
  [' Approved ', 'approved'],
])('--state %j is %s', (given, value) => expect(stateOption(GATE_STATES, given)).toBe(value));

test('accepts the word and the value of a session state, in any case', () => {
  expect(['busy', 'BUSY', 'starting', 'bootstrapping'].map((given) => stateOption(SESSION_STATES, given))).toEqual([
    'BUSY',
    'BUSY',
    'BOOTSTRAPPING',
    'BOOTSTRAPPING',
  ]);
});

test.each([GATE_STATES, RUN_STATES, SESSION_STATES])(
  'offers and accepts the words of lists and the values of --json',
  (states) => {
    const offered = stateWords<string>(states);
    for (const word of offered) expect(Object.keys(states)).toContain(stateOption<string>(states, word));
    const values = Object.keys(states).filter((value) => !offered.includes(value));
    for (const value of values) expect(offered).toContain(value.toLowerCase());
  },
);

test('offers no word that would need quotes', () => {
  const offered = ['decision', 'pending', 'approved', 'rejected', 'changes_requested', 'aborted', 'paused'];
  expect(stateWords(GATE_STATES)).toEqual(offered);
});

test('shows the words and the values in the help', () => {
  const help = createProgram({ io: fakeIo(), exit: () => {} })
    .commands.find((each) => each.name() === 'approval')
    ?.commands.find((each) => each.name() === 'list')
    ?.helpInformation();
  expect(help).toContain('"decision", "pending"');
});

test.each(['open', 'constructor', ''])('refuses another word and names the known ones: %j', (word) => {
  const recoveryHint =
    'Give one of: decision (pending), approved, rejected, changes asked (changes_requested), aborted, timed out (paused).';
  expect(() => stateOption(GATE_STATES, word)).toThrow(expect.objectContaining({ recoveryHint }));
  expect(() => stateOption(GATE_STATES, word)).toThrow(`--state ${word} is unknown`);
});
