import { expect, it } from 'vitest';
import {
  distinctBackends,
  isAtLeast,
  severityWeight,
  worse,
} from '../../../../../../daemon/engine/core/review/finding/votes.ts';
import { FindingSeverity } from '../../../../../../schemas/enums.ts';

it('counts the backends, not the reviewers', () => {
  expect(distinctBackends([])).toBe(0);
  expect(distinctBackends([{ backend: 'claude' }, { backend: 'codex' }, { backend: 'claude' }])).toBe(2);
});

it('weighs each severity four times as much as the one below', () => {
  expect(FindingSeverity.options.map(severityWeight)).toEqual([1, 4, 16, 64, 256]);
});

it('compares severities', () => {
  expect(FindingSeverity.options.filter((severity) => isAtLeast(severity, 'medium'))).toEqual([
    'medium',
    'high',
    'critical',
  ]);
  expect([worse('low', 'high'), worse('high', 'low'), worse('info', 'info')]).toEqual(['high', 'high', 'info']);
});
