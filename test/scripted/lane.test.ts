import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plannedGraph as fakeGraph } from '../../daemon/sessions/fake/fakeScenario.ts';
import * as fakeConflict from '../../daemon/sessions/fake/lane/conflictBlocks.ts';
import * as fakePrompt from '../../daemon/sessions/fake/lane/lanePrompt.ts';
import * as fakeFiles from '../../daemon/sessions/fake/lane/taskFiles.ts';
import { fileFor, lineFor, plannedGraph, readLanePrompt, resolveText } from '../fixtures/scripted/agent/lane.mjs';

/** Texts of these pieces, in any order. */
const textOf = (...pieces: string[]) => fc.array(fc.constantFrom(...pieces)).map((each) => each.join(''));

test('the scripted agent reads a prompt as the fake one does', () => {
  const instructions = textOf(
    ...[
      'T1: Title\n',
      'Also-Writes: a.txt\n',
      'Resolve: drop-then-well\n',
      'Fix-Writes: b\n',
      'Conflicting files: a, b\n',
    ],
    ...['Files that you may change: src/**, b\n', 'You changed files that your tasks do not name\n', 'Resolve: a b\n'],
    ...['```json dag\n', '{}\n', '```\n'],
  );
  const expectedArtifact = fc.constantFrom(
    '/w/.devflow/artifacts/do/1/lane-1.T1/a.json',
    '/w/.devflow/artifacts/do/1/lane-1.fix-2/a.json',
    '/w/.devflow/artifacts/do/1/a.json',
  );
  const expectedSchema = fc.constantFrom(
    'dev/implementation@1',
    'dev/conflict-resolution@1',
    'dev/dag@1',
    'dev/spec@1',
  );
  fc.assert(
    fc.property(fc.record({ expectedArtifact, expectedSchema, instructions }), (envelope) => {
      const said = {
        path: envelope.expectedArtifact,
        schema: envelope.expectedSchema,
        instructions: envelope.instructions,
      };
      expect(readLanePrompt(said, 'ok')).toEqual(fakePrompt.readLanePrompt(envelope, 'ok'));
      expect(plannedGraph(said.schema, said.instructions)).toEqual(fakeGraph(said.schema, said.instructions));
    }),
  );
});

test('it writes the same files and lines', () => {
  const glob = textOf('a', '/', '*', '**', '?', '{a,b}', '[cd]', '\\[', 'test');
  fc.assert(
    fc.property(glob, (any) => {
      expect(fileFor(any, 'T1')).toBe(fakeFiles.fileFor(any, 'T1'));
      expect(lineFor(any, 'T1')).toBe(fakeFiles.lineFor(any, 'T1'));
    }),
  );
});

test('it resolves conflicts alike', () => {
  const text = textOf('<<<<<<< a\n', '||||||| b\n', '=======\n', '>>>>>>> c\n', '>>>>>>> c', 'T1\n', 'T2\n', '\n');
  const how = fc.constantFrom('well', 'drop', 'drop-told', 'markers', 'elsewhere');
  fc.assert(
    fc.property(text, how, (any, word) => {
      expect(resolveText('a.txt', any, word)).toEqual(fakeConflict.resolveText('a.txt', any, word));
    }),
  );
});
