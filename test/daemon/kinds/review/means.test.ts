import { expect, test } from 'vitest';
import { meansOf } from '../../../../daemon/kinds/review/requests.ts';
import { reviewing } from '../../core/support/reviewStory.ts';

const [binding] = reviewing({}).run.bindings;

test.each([
  ['claude', 'read', /^You have no shell/],
  ['gemini', 'read', /^You have no shell/],
  ['codex', 'read', /^Your shell can read and change nothing/],
  ['claude', 'execute', /^You may run commands/],
] as const)('an agent on %s that may %s is told so', (backend, permissionMode, expected) => {
  if (!binding) throw new Error('no binding');
  expect(meansOf({ ...binding, backend, permissionMode })).toMatch(expected);
});
