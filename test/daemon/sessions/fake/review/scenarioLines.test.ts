import { expect, test } from 'vitest';
import { relayedLines, valueFor, valuesFor } from '../../../../../daemon/sessions/fake/review/scenarioLines.ts';

const TEXT = `Requirements:
  Finds: high a.ts:1 For all
Finds: reviewer#1=low b.ts:2 For one
Verdicts: rejected
Verdicts: verifier=cannot_tell\r
  evidence: Fixes: nothing
  evidence: Verdicts: rejected
I said Finds: nothing.`;

test('gives a role its own lines and those for everybody', () => {
  expect(valuesFor(TEXT, 'Finds', 'reviewer#0')).toEqual(['high a.ts:1 For all']);
  expect(valuesFor(TEXT, 'Finds', 'reviewer#1')).toEqual(['high a.ts:1 For all', 'low b.ts:2 For one']);
});

test('prefers the line that names the role', () => {
  expect(valueFor(TEXT, 'Verdicts', 'verifier')).toBe('cannot_tell');
  expect(valueFor(TEXT, 'Verdicts', 'reviewer#0')).toBe('rejected');
  expect(valueFor(TEXT, 'Quotes', 'verifier')).toBeUndefined();
});

test('reads a line in the evidence of a finding', () => {
  expect(valueFor(TEXT, 'Fixes', 'implementer')).toBe('nothing');
});

test('passes each line for verifiers and fixers on once', () => {
  expect(relayedLines(TEXT)).toEqual(['Verdicts: rejected', 'Verdicts: verifier=cannot_tell', 'Fixes: nothing']);
});
