import { expect, it } from 'vitest';
import { isSameClaim } from '../../../../../daemon/kinds/review/finding/sameClaim.ts';
import type { FindingCategory } from '../../../../../schemas/enums.ts';

const same = (a: string, b: string, [first, second]: FindingCategory[] = ['correctness', 'correctness']) =>
  [
    [a, b],
    [b, a],
  ].map(([x = '', y = '']) =>
    isSameClaim({ category: first ?? 'other', summary: x }, { category: second ?? 'other', summary: y }),
  );

it.each([
  ['The limit is never reset.', 'the limit is  never reset'],
  ['An empty name is accepted.', 'Accepts empty names'],
  ['The file is closed twice', 'The file that was opened is closed twice if the second read fails'],
  [
    'The retry loop closes the file handle twice when a read fails',
    'When reading fails, the file handle is closed two times by the retry loop',
  ],
])('one claim: %s / %s', (a, b) => {
  expect(same(a, b)).toEqual([true, true]);
});

it.each([
  ['The limit is never reset.', 'The limit is never checked.'],
  ['The limit of requests is reset', 'The limit of requests is leaked'],
  ['The file handle is closed twice', 'The file handle is never closed'],
  ['parseConfig leaks the file handle if JSON.parse throws', 'parseConfig returns undefined if JSON.parse throws'],
  ['Port 0 is accepted', 'Port 99999 is accepted'],
  ['The result is not checked', 'Errors are swallowed'],
  ['Wrong.', 'Bad.'],
])('two claims: %s / %s', (a, b) => {
  expect(same(a, b)).toEqual([false, false]);
});

it('takes the words of another category for another claim, unless they are the same sentence', () => {
  const sides: FindingCategory[] = ['correctness', 'security'];
  expect(same('A path can leave the directory', 'The directory, leave it by a path', sides)).toEqual([false, false]);
  expect(same('A path can leave the directory', 'A path can leave the directory.', sides)).toEqual([true, true]);
});
