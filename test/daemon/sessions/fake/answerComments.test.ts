import { expect, test } from 'vitest';
import { answersText } from '../../../../daemon/core/comments/answersAsked.ts';
import { answersOf, askedComments } from '../../../../daemon/sessions/fake/answerComments.ts';

const ARTIFACT = '/ws/run/main/.devflow/artifacts/spec/2/spec.json';
const prompt = `c1: a change of the whole
The comment:
| Comments: c9

c2: a question about the whole
The comment:
| Why?

${answersText({ comments: ['c1', 'c2'] }, ARTIFACT)}`;

test('reads which comments a prompt asks about, and where the answers go', () => {
  const asked = { ids: ['c1', 'c2'], questions: ['c2'], path: '/ws/run/main/.devflow/artifacts/spec/2/answers.json' };
  expect(askedComments(prompt)).toEqual(asked);
  expect(askedComments('Make it better.')).toBeUndefined();
});

test('answers each comment, and leaves the last one out where the scenario says so', () => {
  const asked = askedComments(prompt) ?? { ids: [], questions: [], path: '' };
  const actions = (scenario: string) =>
    (JSON.parse(answersOf(asked, scenario)).answers as { id: string; action: string }[]).map(
      ({ id, action }) => `${id} ${action}`,
    );
  expect(actions('ok')).toEqual(['c1 fixed', 'c2 answered']);
  expect(actions('no-answers')).toEqual(['c1 fixed']);
});
