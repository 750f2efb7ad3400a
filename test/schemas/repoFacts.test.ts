import { expect, test } from 'vitest';
import { asFirstFacts, type Fact, type RepoFacts } from '../../schemas/repoFacts.ts';

test('a run of the first factory gets facts as its schema has them', () => {
  const probe = { exit: 0, ms: 3, class: 'cannot_fail', reason: 'true checks nothing' } as const;
  const fact = { id: 'test.a', probe } as unknown as Fact;
  expect(asFirstFacts({ facts: [fact] } as unknown as RepoFacts).facts[0]?.probe).toEqual({
    ...probe,
    class: 'refused',
    reason: 'cannot_fail: true checks nothing',
  });
});
