import { expect, test } from 'vitest';
import { isDeciding } from '../../../../schemas/rpc/methods/decidingMethods.ts';

test('only a person decides a gate, or says that a person decided', () => {
  expect(isDeciding('approval.decide', {})).toBe(true);
  expect(isDeciding('run.start', { dryRun: true })).toBe(false);
  expect(isDeciding('run.get', {})).toBe(false);
  expect(isDeciding('autodev.record', { event: 'started', decided: true })).toBe(true);
  expect(isDeciding('autodev.record', { event: 'started' })).toBe(false);
  expect(isDeciding('autodev.record', undefined)).toBe(false);
});
