import { expect, test } from 'vitest';
import { counted } from '../../../schemas/text/phrases.ts';

test('uses the singular for one, and a given plural for irregular words and verbs', () => {
  expect([0, 1, 2].map((count) => counted(count, 'file'))).toEqual(['0 files', '1 file', '2 files']);
  expect([1, 2].map((count) => counted(count, 'file is', 'files are'))).toEqual(['1 file is', '2 files are']);
});
