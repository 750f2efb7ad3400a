import { expect, test } from 'vitest';
import { decide } from '../../../../daemon/core/decide.ts';
import {
  approve,
  bound,
  committed,
  decision,
  done,
  given,
  type Input,
  type Story,
  sent,
  started,
} from '../support/given.ts';

const CYCLE = { template: 'cycle' } as const;
const valid = done('awaitArtifact');
const testsFail = done('awaitArtifact', 1);
const made: Input[] = [sent, valid, committed];
/** Both agents start in the first iteration only. */
const firstTests = (result: Input): Input[] => [bound, started, ...made, started, sent, result, committed];
const laterTests = (result: Input): Input[] => [...made, sent, result, committed];

const iterationsOf = ({ run }: Story) =>
  run.iterations.map(({ nth, extension, isResolved, issues }) => ({ nth, extension, isResolved, issues }));
const promptOf = ({ run }: Story) => {
  const effect = decide(run).find(({ type }) => type === 'sendPrompt');
  return effect?.type === 'sendPrompt' ? effect.envelope.instructions : undefined;
};

test('CS-51 an iteration without open issues ends the loop', () => {
  const story = given(CYCLE, ...firstTests(valid));
  story.to({ run: 'awaiting_approval', phases: { accept: 'awaiting_approval' } });
  expect(iterationsOf(story)).toEqual([{ nth: 1, extension: null, isResolved: true, issues: [] }]);
  story.on(approve).to({ run: 'completed' });
});

test('CS-51 open issues begin the next iteration, whose prompts name them', () => {
  const story = given(CYCLE, ...firstTests(testsFail));
  story.to({ run: 'executing', phases: { make: 'running', test: 'pending', accept: 'pending' } });
  expect(iterationsOf(story)).toEqual([
    { nth: 1, extension: null, isResolved: false, issues: ['adds', 'subtracts'] },
    { nth: 2, extension: null, isResolved: null, issues: [] },
  ]);
  expect(promptOf(story)).toMatch(/^Make 2: \(none\) - adds\n- subtracts .*\/inputs\/test\/test\.json/s);
  story.on(...laterTests(valid)).to({ run: 'awaiting_approval', phases: { accept: 'awaiting_approval' } });
});

test('the first iteration names nothing that was not made yet', () => {
  expect(promptOf(given(CYCLE, bound, started))).toBe('Make 1: (none) (none) (none yet)');
});

test('CS-51 changes that a person wants of the result begin another iteration about them', () => {
  const story = given(CYCLE, ...firstTests(valid), decision('request_changes', 'Subtract, too.'));
  story.to({ run: 'executing', phases: { make: 'running', test: 'pending', accept: 'pending' } });
  expect(iterationsOf(story).at(-1)).toMatchObject({ nth: 2, extension: 'Subtract, too.' });
  expect(promptOf(story)).toMatch(/^Make 2: Subtract, too\. \(none\)/);
  const tested = story.on(...made);
  expect(promptOf(tested)).toContain('Test ');
  tested.on(sent, valid, committed, approve).to({ run: 'completed' });
});

test('CS-52 the limit is a gate: a person raises it, accepts what is open, or ends the run', () => {
  const story = given(CYCLE, ...firstTests(testsFail), ...laterTests(testsFail));
  story.to({ run: 'paused', phases: { accept: 'pending' }, approvals: { iterations_exhausted: 'pending' } }).decides();
  expect(story.run.approvals.at(-1)?.subject).toMatchObject({
    reason: 'after 2 iterations, 2 issues of the last one are open',
    issues: ['adds', 'subtracts'],
  });
  story.on(approve).to({ run: 'awaiting_approval', phases: { accept: 'awaiting_approval' } });
  story.on(decision('reject', 'enough')).to({ run: 'failed' });
  const raised = story.on(decision('request_changes', 'Once more.'));
  raised.to({ run: 'executing', phases: { make: 'running' } });
  expect(iterationsOf(raised).at(-1)).toMatchObject({ nth: 3, extension: 'Once more.' });
  const again = raised.on(...laterTests(testsFail));
  again.to({ run: 'paused', approvals: { iterations_exhausted: 'pending' } });
  expect(again.run.approvals.filter(({ gateKey }) => gateKey === 'iterations_exhausted')).toHaveLength(2);
});

test('CS-29 CS-52 changes that a person wants beyond the limit ask about the limit first', () => {
  const wanted = decision('request_changes', 'Divide, too.');
  const story = given(CYCLE, ...firstTests(testsFail), ...laterTests(valid), wanted);
  story.to({ run: 'paused', phases: { accept: 'awaiting_approval' }, approvals: { iterations_exhausted: 'pending' } });
  expect(story.run.approvals.at(-1)?.subject).toMatchObject({
    reason: 'the template allows 2 iterations, and these changes would be number 3',
    wanted: 'Divide, too.',
  });
  story.decides();
  const left = story.on(approve).to({ run: 'awaiting_approval', approvals: { cycle_accepted: 'pending' } });
  left.on(approve).to({ run: 'completed' });
  // Each time a person wants more, the question is asked again.
  const again = left.on(wanted).to({ run: 'paused', approvals: { iterations_exhausted: 'pending' } });
  for (const from of [story, again]) {
    const raised = from.on(decision('request_changes', null));
    raised.to({ run: 'executing', phases: { make: 'running', accept: 'pending' } });
    expect(iterationsOf(raised).at(-1)).toMatchObject({ nth: 3, extension: 'Divide, too.' });
  }
});

test('attempts go on counting over iterations, and each has its full budget of repairs', () => {
  const story = given(CYCLE, ...firstTests(testsFail));
  const [assignment] = story.run.phases[0]?.assignments ?? [];
  expect(assignment).toMatchObject({ attempt: 2, repairsUsed: 0, status: 'to_prompt' });
});

test('CS-53 the work of each phase counts from the newest commit, also in later iterations', () => {
  const sinceOf = ({ run }: Story) =>
    decide(run).flatMap((effect) => (effect.type === 'commitWork' ? effect.since : []));
  const second = given(CYCLE, ...firstTests(testsFail), sent, valid);
  expect(sinceOf(second)).toEqual(['commit-test-1']);
  expect(sinceOf(second.on(committed, sent, valid))).toEqual(['commit-make-2']);
});
