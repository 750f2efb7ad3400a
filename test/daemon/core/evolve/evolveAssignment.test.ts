import { expect, test } from 'vitest';
import { DRAFT } from '../../../../schemas/kinds/step/definition.ts';
import { awaited, session, waiting, work } from '../support/agent.ts';
import { bound, done, given, type Input, invalid, type Story, sent, started, timedOut } from '../support/given.ts';
import { TEMPLATES } from '../support/templates.ts';

test('a session whose deadline passed says which artifact was late', () => {
  const story = given({}, ...waiting);
  const { path } = awaited(story);
  expect(session(story.on(timedOut))?.failure).toEqual({
    code: 'artifact_timeout_exhausted',
    reason: `the deadline for ${path} passed`,
  });
});

test('an invalid artifact is repaired while another agent has no prompt yet', () => {
  const story = given({ template: 'twoInstances' }, bound, started, done('startSession'), sent, invalid);
  story.to({ phases: { write: 'running' } });
  const statuses = story.run.phases[0]?.assignments.map(({ status, repairsUsed }) => [status, repairsUsed]);
  expect(statuses).toEqual([
    ['to_prompt', 1],
    ['to_prompt', 0],
  ]);
});

test.each([
  ['an artifact once', 'dev/implementation@1', 1],
  ['a draft three times', DRAFT, 3],
] as const)('an agent may repair %s', (_, schema, times) => {
  const { withoutGate } = TEMPLATES;
  const phases = withoutGate.phases.map((phase) => ({ ...phase, expectedArtifact: { path: 'a.json', schema } }));
  const repaired = Array.from({ length: times }, (): Input[] => [invalid, sent]).flat();
  const story: Story = given({ template: { ...withoutGate, phases } }, ...waiting, ...repaired);
  expect(work(story)).toMatchObject({ status: 'prompted', repairsUsed: times });
  expect(work(story.on(invalid))).toMatchObject({ status: 'failed', repairsUsed: times });
});
