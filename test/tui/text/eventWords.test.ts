import { expect, test } from 'vitest';
import { eventSentence } from '../../../tui/text/eventWords.ts';
import { givenEvent } from '../given.ts';

test('an event uses the singular for one item', () => {
  const said = (type: string, payload: Record<string, unknown>) => eventSentence({ ...givenEvent(1), type, payload });
  const work = { commit: 'abcdef0123', files: 1, insertions: 2, deletions: 0 };
  expect([
    said('run.started', { branch: 'devflow/a', bindings: [{}] }),
    said('phase.completed', { attempt: 1, work }),
    said('phase.completed', { attempt: 1, work: { ...work, files: 2 } }),
    said('artifact.invalid', { roleId: 'planner', path: '/w/spec.json', schema: 'dev/spec@1', errors: [{}] }),
    said('review.batch_recorded', { reviewerRole: 'reviewer', findings: [{}] }),
  ]).toEqual([
    'on branch devflow/a with 1 role',
    'abcdef01: 1 file, +2 -0',
    'abcdef01: 2 files, +2 -0',
    'spec.json of planner is not a valid dev/spec@1: 1 error',
    'reviewer: 1 finding',
  ]);
});
