import { expect, test } from 'vitest';
import { outcomeFrom, reviewOutcome } from '../../../../daemon/kinds/review/reviewOutcome.ts';
import { reviewSummaries } from '../../../../daemon/kinds/review/reviewSummaries.ts';
import { outcomeState } from '../../../../schemas/states/outcome.ts';
import { runState } from '../../../../schemas/states/run.ts';
import { approve } from '../../core/support/given.ts';
import { onlyReviewing, type Reported, reviewing } from '../../core/support/reviewStory.ts';
import { untilEnd } from '../../core/support/unattended.ts';

const TWO: Reported[] = [{ line: 1 }, { line: 9, claim: 'The name reaches a shell.' }];
const red = { command: () => 1 };

test('a review says what keeps the change from passing', () => {
  expect(reviewOutcome(onlyReviewing({}).run)).toEqual({ word: 'passed', blockers: 0 });
  expect(reviewOutcome(onlyReviewing({ look: () => TWO }).run)).toEqual({ word: 'blocked', blockers: 2 });
  expect(reviewOutcome(onlyReviewing({ look: () => [{ severity: 'low' }] }).run)?.word).toBe('passed');
  expect(reviewOutcome(onlyReviewing(red).run)).toEqual({ word: 'blocked', blockers: 1 });
});

test('a review that a person let pass is accepted', () => {
  const asked = onlyReviewing({ ...red, fixes: () => false }, {}, { roles: ['reviewer', 'verifier', 'implementer'] });
  expect(reviewOutcome(asked.run)).toBeUndefined();
  expect(reviewOutcome(asked.on(approve).run)).toEqual({ word: 'accepted', blockers: 1 });
});

test.each(['reviewer#0', 'reviewer#1', 'verifier'])('with fake as %s it is a rehearsal, whatever it says', (role) => {
  const fake = { [role]: 'fake' as const };
  const passed = onlyReviewing({}, fake).run;
  expect(reviewOutcome(passed)).toEqual({ word: 'rehearsal', blockers: 0 });
  expect(reviewSummaries(passed)).toMatchObject([{ verdict: 'pass', rehearsal: true }]);
  expect(reviewOutcome(onlyReviewing({ look: () => TWO }, fake).run)).toEqual({ word: 'rehearsal', blockers: 2 });
});

test('a review with real agents is none', () => {
  expect(reviewSummaries(onlyReviewing({}).run)[0]).not.toHaveProperty('rehearsal');
});

test('a run that does more than review has no outcome beside its state', () => {
  const { run } = untilEnd(reviewing({}));
  expect([run.state, reviewOutcome(run)]).toEqual(['completed', undefined]);
});

test('a skipped review says nothing, unless another one blocks', () => {
  const facts = { blockers: 1, isRehearsal: false };
  expect(outcomeFrom({ ...facts, verdicts: ['pass', 'open'] })).toBeUndefined();
  expect(outcomeFrom({ ...facts, verdicts: [] })).toBeUndefined();
  expect(outcomeFrom({ ...facts, verdicts: ['open', 'findings'] })).toEqual({ word: 'blocked', blockers: 1 });
  expect(outcomeFrom({ ...facts, verdicts: ['pass', 'accepted'] })?.word).toBe('accepted');
});

test('people read it in place of the state', () => {
  const outcome = { word: 'blocked', blockers: 2 } as const;
  expect(runState({ state: 'completed', outcome })).toMatchObject({ word: 'blocked by 2', look: 'bad' });
  expect(runState({ state: 'completed', outcome: { word: 'rehearsal', blockers: 2 } })).toMatchObject({
    word: 'rehearsal',
    look: 'quiet',
  });
  expect(outcomeState({ word: 'passed', blockers: 0 })).toMatchObject({ word: 'passed', look: 'good' });
  expect(runState({ state: 'completed' }).word).toBe('completed');
});
