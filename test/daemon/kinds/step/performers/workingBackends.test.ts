import { expect, test } from 'vitest';
import { workingBackends } from '../../../../../daemon/kinds/step/performers/discoverStep.ts';

test('names the agents that are there, and never the fake one', () => {
  expect(workingBackends({ isAvailable: (backend) => backend !== 'codex' })).toEqual(['claude', 'gemini', 'opencode']);
});

test('names none if nobody looked which programs are there', () => {
  expect(workingBackends({})).toEqual([]);
});
