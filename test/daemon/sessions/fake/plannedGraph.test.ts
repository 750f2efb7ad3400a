import { expect, test } from 'vitest';
import { plannedGraph } from '../../../../daemon/sessions/fake/plannedGraph.ts';

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
