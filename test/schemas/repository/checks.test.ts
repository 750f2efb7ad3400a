import { expect, test } from 'vitest';
import { addsChecks } from '../../../schemas/repository/checks.ts';

test('a guess adds no checks to a template that the person chose', () => {
  expect(addsChecks('guess', true)).toBe(false);
  expect(addsChecks('guess', false)).toBe(true);
  expect(addsChecks('devflow.yaml', true)).toBe(true);
  expect(addsChecks(undefined, true)).toBe(true);
});
