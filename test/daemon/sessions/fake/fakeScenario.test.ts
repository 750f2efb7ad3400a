import { expect, test } from 'vitest';
import { plannedGraph, scenarioFor } from '../../../../daemon/sessions/fake/fakeScenario.ts';

const name = (text: string, attempt = 1) => scenarioFor(text, 'plan', attempt, 50).name;

test.each([
  ['no header', 1, 'ok'],
  ['Requirements:\n\n  Scenario: invalid  \nmore', 1, 'invalid'],
  ['Scenario: invalid\r\n', 1, 'invalid'],
  ['Scenario: invalid\nScenario: plan=timeout\nScenario: spec=crash', 1, 'timeout'],
  ['Scenario: spec=crash', 1, 'ok'],
  ['Scenario: a-then-b', 1, 'a'],
  ['Scenario: a-then-b', 2, 'b'],
  ['Scenario: a-then-b', 9, 'b'],
  ['Scenario: ../../etc/passwd', 1, 'ok'],
  ['The Scenario: invalid is a sentence', 1, 'ok'],
])('%j, attempt %i: %s', (text, attempt, expected) => {
  expect(name(text, attempt)).toBe(expected);
});

test('Delay-Ms overrides the delay, for all phases or one', () => {
  const delay = (text: string) => scenarioFor(text, 'plan', 1, 50).delayMs;
  expect(delay('')).toBe(50);
  expect(delay('Delay-Ms: 7')).toBe(7);
  expect(delay('Delay-Ms: 7\nDelay-Ms: plan=9')).toBe(9);
  expect(delay('Delay-Ms: soon')).toBe(50);
});

const REQUIREMENTS = 'Requirements:\nDo it.\n\n```json dag\n{"summary":"s",\n"tasks":[]}\n```\n\n```json\n{}\n```\n';

test('finds the task graph in the requirements', () => {
  expect(plannedGraph('dev/dag@1', REQUIREMENTS)).toBe('{"summary":"s",\n"tasks":[]}\n');
  expect(plannedGraph('dev/dag@1', REQUIREMENTS.replaceAll('\n', '\r\n'))).toContain('"tasks":[]');
});

test.each([
  ['another schema', 'dev/phase-plan@2', REQUIREMENTS],
  ['another block', 'dev/dag@1', '```json\n{}\n```'],
  ['an open block', 'dev/dag@1', '```json dag\n{}'],
])('finds none for %s', (_, schema, text) => expect(plannedGraph(schema, text)).toBeUndefined());
