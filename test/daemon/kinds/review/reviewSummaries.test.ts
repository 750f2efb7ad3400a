import { expect, test } from 'vitest';
import { reviewSummaries } from '../../../../daemon/kinds/review/reviewSummaries.ts';
import { approve } from '../../core/support/given.ts';
import { reviewing } from '../../core/support/reviewStory.ts';
import { newRun } from '../../core/support/run.ts';

test('a run whose review has not begun has no summary', () => {
  expect(reviewSummaries(newRun({ template: 'review' }).run)).toEqual([]);
});

test('a review that passed names commits, backends and commands', () => {
  const story = reviewing({ command: () => 0 }, {}, { review: { checks: 'verify' } });
  expect(reviewSummaries(story.run)).toEqual([
    {
      phaseKey: 'review',
      verdict: 'pass',
      base: 'base0000',
      head: expect.stringContaining('commit'),
      backends: [
        { roleId: 'reviewer#0', backend: 'claude' },
        { roleId: 'reviewer#1', backend: 'codex' },
        { roleId: 'verifier', backend: 'gemini' },
      ],
      commands: [{ round: 1, argv: ['npm', 'test'], exitCode: 0, reason: expect.any(String), findingId: null }],
    },
  ]);
});

test('a review that waits for a person is open, and one that a person accepted says so', () => {
  const asked = reviewing({ command: () => 1, fixes: () => false }, {}, { review: { checks: 'verify' } });
  const [open] = reviewSummaries(asked.run);
  expect([open?.verdict, open?.commands.map(({ exitCode }) => exitCode)]).toEqual(['open', [1, 1]]);
  expect(reviewSummaries(asked.on(approve).run)[0]?.verdict).toBe('accepted');
});

test('a review without a fixer ends with its findings', () => {
  const roles = ['reviewer', 'verifier'];
  const story = reviewing({ look: () => [{}] }, {}, { roles, review: { bar: 'medium', rounds: 4 } });
  expect(reviewSummaries(story.run)).toMatchObject([{ verdict: 'findings' }]);
});
