import { expect, test } from 'vitest';
import { stateOption, stateWords } from '../../../cli/input/stateOption.ts';
import { GATE_STATES } from '../../../schemas/states/gate.ts';
import { SESSION_STATES } from '../../../schemas/states/session.ts';

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
