import { expect, test } from 'vitest';
import type { OutcomeOf } from '../../../daemon/core/effect/outcome.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import { composeReport } from '../../../daemon/report/compose.ts';
import { bound, commandFails, decision, done, given as story } from '../core/support/given.ts';
import { finished, GUESS, placed, SETUP, setUp } from '../core/support/setup.ts';
import { untilDue } from '../core/support/unattended.ts';

const reportOf = (run: Run) => composeReport({ run, events: [], findings: [] });
const worktrees = (markdown: string) => /## Worktrees\n\n((?:- .*\n)*)/.exec(markdown)?.[1]?.trimEnd();

test('a run whose worktrees are not set up has no section about them', () => {
  const { markdown } = reportOf(story({}, bound).run);
  expect(worktrees(markdown)).toBeUndefined();
});

test('a set-up that went well is a line, and needs no attention', () => {
  const { markdown, json } = reportOf(story({ setup: SETUP }, bound, ...setUp).run);
  expect(worktrees(markdown)).toMatch(/^- set up in 5\.5s/);
  expect(json.unresolved.map(({ kind }) => kind)).not.toContain('not_set_up');
});

test('a guess that failed needs attention', () => {
  const { markdown, json } = reportOf(story({ setup: GUESS }, bound, placed, commandFails, finished).run);
  expect(worktrees(markdown)).toContain('the guessed set-up failed');
  expect(json.unresolved.find(({ kind }) => kind === 'not_set_up')?.sentence).toBe(
    'The worktree main was not set up: npm ci: exit 1.',
  );
});

test('so do checks of the merge queue that ran where a guess had failed', () => {
  const argv = ['npm', 'ci'];
  const setup = { argv, exitCode: 1, reason: 'exit 1', stdoutPath: '/out', stderrPath: '/err', tail: 'no registry' };
  const planned = untilDue('testMerge', story({ template: 'lanes', setup: GUESS }));
  const perform = done('testMerge') as (run: Run) => OutcomeOf<'mergeTested'>;
  const tested = perform(planned.run);
  const { run } = planned.on({ ...tested, test: { ...tested.test, setup } });
  expect(reportOf(run).json.unresolved.find(({ kind }) => kind === 'not_set_up')?.sentence).toMatch(
    /^Checks of \w+ ran in a worktree that was not set up: npm ci: exit 1\. Its output is in \/err\.$/,
  );
});

test('so does a run that a person let go on without', () => {
  const { run } = story({ setup: SETUP }, bound, placed, commandFails, finished, decision('reject'));
  expect(worktrees(reportOf(run).markdown)).toContain('without set-up');
  expect(reportOf(run).json.unresolved.map(({ kind }) => kind)).toContain('not_set_up');
});
