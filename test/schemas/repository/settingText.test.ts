import { expect, test } from 'vitest';
import { settingText } from '../../../schemas/repository/settingText.ts';

test.each([
  [['npm', 'test'], 'npm, test'],
  [[['npm', 'run', 'a b']], "npm run 'a b'"],
  [
    [
      { gate: 'plan_approved', if: ['checks_green', { diff_below: 5 }] },
      { gate: 'x', if: ['review_passed'] },
    ],
    '{"gate":"plan_approved","if":["checks_green",{"diff_below":5}]}; {"gate":"x","if":["review_passed"]}',
  ],
  [{ level: 'agents' }, '{"level":"agents"}'],
])('%j in one line', (value, text) => {
  expect(settingText(value)).toBe(text);
});
