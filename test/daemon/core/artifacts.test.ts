import { expect, test } from 'vitest';
import { artifactView } from '../../../daemon/api/artifacts/artifactView.ts';
import { bound, done, firstPhaseDone, given, invalid, sent, started } from './support/given.ts';
import { TEMPLATES } from './support/templates.ts';

test('an artifact names its role and its attempt', () => {
  const { run } = given({ template: 'twoInstances' }, bound, started, done('startSession', 0, 0), sent, sent);
  const judged = given({ template: 'twoInstances' }, bound, started, done('startSession', 0, 0), sent, sent, invalid);
  expect(run.artifacts).toEqual([]);
  expect(judged.run.artifacts.map(({ roleId, attempt }) => [roleId, attempt])).toEqual([['writer#0', 1]]);
});

test('a view takes the attempt from the artifact, not from its path', () => {
  const [phase] = TEMPLATES.development.phases;
  if (!phase?.expectedArtifact) throw new TypeError('the first phase has an artifact');
  const odd = { ...phase, key: '7', expectedArtifact: { ...phase.expectedArtifact, path: '7/9/spec.json' } };
  const template = { ...TEMPLATES.development, phases: [odd] };
  const { run } = given({ template }, ...firstPhaseDone);
  const views = run.artifacts.map((artifact) => artifactView(run, artifact));
  expect(views).toMatchObject([{ phaseKey: '7', roleId: 'planner', attempt: 1 }]);
});
