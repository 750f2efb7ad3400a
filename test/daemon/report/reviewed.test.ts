import { expect, test } from 'vitest';
import { composeReport } from '../../../daemon/report/compose.ts';
import { onlyReviewing, type Play } from '../core/support/reviewStory.ts';
import { givenRun } from './givenRun.ts';

function report(play: Play, backends: Parameters<typeof onlyReviewing>[1] = {}) {
  const { run, events } = onlyReviewing(play, backends);
  const { json, markdown } = composeReport({ run, events, findings: [] });
  return [json.outcome, markdown.split('\n')[0]];
}

test('the report of a review begins with what it says about the change', () => {
  expect(report({})).toEqual([{ word: 'passed', blockers: 0 }, '# Review passed']);
  const two = () => [{ line: 1 }, { line: 9, claim: 'Else.' }];
  expect(report({ look: two })).toEqual([{ word: 'blocked', blockers: 2 }, '# Review blocked by 2']);
  expect(report({}, { verifier: 'fake' })).toEqual([
    { word: 'rehearsal', blockers: 0 },
    '# Review rehearsed with fake: nothing is known about the change',
  ]);
});

test('the report of other runs has no such field', () => {
  expect(composeReport({ run: givenRun(), events: [], findings: [] }).json).not.toHaveProperty('outcome');
});
