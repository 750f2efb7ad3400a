import { expect, test } from 'vitest';
import { faults, type GivenPhase, graph, verify } from './givenTemplate.ts';

test.each<[string, GivenPhase, string[]]>([
  ['an agent phase without a role', { ...graph, roles: [] }, ['roles an agent phase needs a role']],
  [
    'an agent phase without an artifact',
    { ...graph, expectedArtifact: undefined },
    ['expectedArtifact an agent phase needs an expected artifact'],
  ],
  [
    'an agent phase without instructions',
    { ...graph, instructions: undefined },
    ['instructions an agent phase needs instructions'],
  ],
  [
    'an agent phase with commands',
    { ...graph, commands: [{ argv: ['true'] }] },
    ['commands commands belong to a phase of kind command'],
  ],
  [
    'a phase plan without a gate',
    { ...graph, expectedArtifact: { path: 'p.json', schema: 'dev/phase-plan@1' }, gates: [] },
    ['gates a phase that writes a plan needs a gate'],
  ],
  [
    'a command phase with an artifact',
    { ...verify, expectedArtifact: { path: 'p.json', schema: 'dev/spec@1' } },
    ['expectedArtifact a command phase has no artifact'],
  ],
  ['a command phase with a role', { ...verify, roles: ['coder'] }, ['roles a command phase has no role']],
])('%s is refused', (_, phase, expected) => {
  expect(faults([phase])).toEqual(expected.map((each) => `phases.0.${each}`));
});

test('both are sound with what they need', () => {
  expect(faults([graph, verify])).toEqual([]);
});
