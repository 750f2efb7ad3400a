import { describe, expect, test } from 'vitest';
import { judgeRules } from '../../../../daemon/core/rules/judgeRules.ts';
import type { RuleFacts } from '../../../../daemon/core/run/approval.ts';
import type { AutoCondition, AutoGate } from '../../../../schemas/gates/autoGates.ts';

const GOOD: RuleFacts = {
  alarms: [],
  questions: 0,
  checks: { green: 2, red: 0, elsewhere: 0 },
  review: { verdict: 'pass', elsewhere: false },
  change: { lines: 199, binaries: 0 },
};

const CONDITIONS: AutoCondition[] = ['no_open_questions', 'checks_green', 'review_passed', { diff_below: 200 }];

const rule = (...conditions: AutoCondition[]): AutoGate => ({ gate: 'plan_approved', if: conditions });
const isPassed = (rules: AutoGate[], facts: Partial<RuleFacts>) => 'by' in judgeRules(rules, { ...GOOD, ...facts });

/** What each condition asks about, where it is not met, and the words of the reason. */
const UNMET: [AutoCondition, Partial<RuleFacts>, string][] = [
  ['no_open_questions', { questions: 1 }, '1 question is open'],
  ['no_open_questions', { questions: 2 }, '2 questions are open'],
  ['no_open_questions', { questions: null }, 'has a list of open questions'],
  ['checks_green', { checks: { green: 0, red: 0, elsewhere: 0 } }, 'No command checked this'],
  ['checks_green', { checks: { green: 0, red: 0, elsewhere: 2 } }, 'The checks are of another commit.'],
  ['checks_green', { checks: { green: 0, red: 1, elsewhere: 2 } }, '1 check did not pass'],
  ['checks_green', { checks: { green: 5, red: 1, elsewhere: 0 } }, '1 check did not pass'],
  ['review_passed', { review: null }, 'There is no review'],
  ['review_passed', { review: { verdict: 'open', elsewhere: false } }, 'did not pass: open'],
  ['review_passed', { review: { verdict: 'findings', elsewhere: false } }, 'did not pass: findings'],
  ['review_passed', { review: { verdict: 'accepted', elsewhere: false } }, 'did not pass: accepted'],
  ['review_passed', { review: { verdict: 'pass', elsewhere: true } }, 'The review is of another commit.'],
  [{ diff_below: 200 }, { change: { lines: 200, binaries: 0 } }, '200 lines'],
  [{ diff_below: 200 }, { change: { lines: 0, binaries: 1 } }, 'changed by more than lines'],
];

describe.each(UNMET)('%j with %j', (condition, facts, words) => {
  test('is not met, and says why', () => {
    const verdict = judgeRules([rule(condition)], { ...GOOD, ...facts });
    expect('why' in verdict && verdict.why.join('\n')).toContain(words);
    expect(isPassed([rule(condition)], {})).toBe(true);
  });

  test('stops a rule with all conditions, and no rule that does not ask for it', () => {
    expect(isPassed([rule(...CONDITIONS)], facts)).toBe(false);
    const others = CONDITIONS.filter((each) => JSON.stringify(each) !== JSON.stringify(condition));
    expect(isPassed([rule(...others)], facts)).toBe(true);
    expect(isPassed([rule(condition), rule(...others)], facts)).toBe(true);
  });
});

test('the rule that decided and its conditions are named', () => {
  expect(judgeRules([rule('no_open_questions', { diff_below: 200 })], GOOD)).toEqual({
    by: { rule: 'plan_approved if no_open_questions, diff_below: 200', met: ['no_open_questions', 'diff_below: 200'] },
  });
});

test('one reason to look twice stops every rule', () => {
  const alarms = ['A fake agent took part.'];
  expect(judgeRules([rule(...CONDITIONS), rule('checks_green')], { ...GOOD, alarms })).toEqual({ why: alarms });
});

test('a reason that several rules have is named once', () => {
  expect(
    judgeRules([rule('checks_green'), rule('checks_green', 'review_passed')], {
      ...GOOD,
      checks: { green: 0, red: 1, elsewhere: 0 },
    }),
  ).toEqual({ why: ['1 check did not pass.'] });
});
