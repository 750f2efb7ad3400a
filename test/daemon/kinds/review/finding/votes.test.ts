import { expect, it } from 'vitest';
import { distinctBackends } from '../../../../../daemon/kinds/review/nextStep.ts';

it('counts the backends, not the reviewers', () => {
  expect(distinctBackends([])).toBe(0);
  expect(distinctBackends([{ backend: 'claude' }, { backend: 'codex' }, { backend: 'claude' }])).toBe(2);
});
