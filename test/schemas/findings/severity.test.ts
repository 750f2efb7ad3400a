import { expect, test } from 'vitest';
import { FindingSeverity } from '../../../schemas/enums.ts';
import { isAtLeast, severityRank, severityWeight, worse } from '../../../schemas/findings/severity.ts';

test('ranks severities from harmless to severe', () => {
  expect(FindingSeverity.options.map(severityRank)).toEqual([0, 1, 2, 3, 4]);
});

test('weighs each severity four times as much as the one below', () => {
  expect(FindingSeverity.options.map(severityWeight)).toEqual([1, 4, 16, 64, 256]);
});

test('compares severities', () => {
  expect(FindingSeverity.options.filter((severity) => isAtLeast(severity, 'medium'))).toEqual([
    'medium',
    'high',
    'critical',
  ]);
  expect([worse('low', 'high'), worse('high', 'low'), worse('info', 'info')]).toEqual(['high', 'high', 'info']);
});
