import { expect, test } from 'vitest';
import type { Client } from '../../../cli/client/connect.ts';
import { whenEmpty } from '../../../cli/commands/approval/look.ts';
import { limitOf, printCutNote, stateOption, stateWords } from '../../../cli/input/lists.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
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

test('accepts every offered word', () => {
  const offered = stateWords(GATE_STATES);
  expect(offered).toEqual(['decision', 'approved', 'rejected', 'changes_requested', 'aborted', 'paused']);
  expect(offered.map((word) => stateOption(GATE_STATES, word))).toEqual(Object.keys(GATE_STATES));
});

test.each(['open', 'constructor', ''])('refuses another word and names the known ones: %j', (word) => {
  const recoveryHint = 'Give one of: decision, approved, rejected, changes_requested, aborted, paused.';
  expect(() => stateOption(GATE_STATES, word)).toThrow(expect.objectContaining({ recoveryHint }));
  expect(() => stateOption(GATE_STATES, word)).toThrow(`--state ${word} is unknown`);
});
