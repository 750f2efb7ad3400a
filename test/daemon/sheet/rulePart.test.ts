import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { CommandRun } from '../../../daemon/core/run/commandRun.ts';
import { openGates } from '../../../daemon/core/run/query.ts';
import type { Approval, Run } from '../../../daemon/core/run/state.ts';
import { checksAt, reviewAt } from '../../../daemon/sheet/rulePart.ts';
import { Template } from '../../../schemas/definitions/template.ts';
import { packageRoot } from '../../../schemas/files/paths.ts';
import { given } from '../core/support/given.ts';
import { worktreeAt } from '../core/support/outcomes.ts';
import { isAsked, until } from '../core/support/unattended.ts';

function published(name: string) {
  const file = join(packageRoot(), 'schemas', 'templates', `${name}.yaml`);
  const template = Template.parse(parse(readFileSync(file, 'utf8')));
  return given({ template, behaviour: 7, extra: { verify: [['npm', 'test']] } });
}

function gateOf(run: Run): Approval {
  const [gate] = openGates(run);
  if (!gate) throw new TypeError('no gate is open');
  return gate;
}

/** The gate as it is if somebody commits before it opens. */
const laterAt = (gate: Approval): Approval => ({
  ...gate,
  subject: { ...gate.subject, diff: { from: 'base0000', to: 'later' }, worktree: worktreeAt('later') },
});

describe.each(['development@1', 'development@2', 'quick-change@2', 'parallel-development@1'])(
  'at the end of %s',
  (name) => {
    const { run } = until(published(name), isAsked('changes_approved'));
    const gate = gateOf(run);

    test('the checks and the review are of the commit that the gate shows', () => {
      expect(checksAt(run, gate)).toEqual({ green: 1, red: 0, elsewhere: 0 });
      expect(reviewAt(run, gate)?.elsewhere ?? false).toBe(false);
    });

    test('they are of another commit if somebody has committed since', () => {
      expect(checksAt(run, laterAt(gate))).toEqual({ green: 0, red: 0, elsewhere: 1 });
      expect(reviewAt(run, laterAt(gate))?.elsewhere ?? true).toBe(true);
    });
  },
);

test('checks of a review count for the commit that it looked at', () => {
  const { run } = until(published('quick-change@2'), isAsked('changes_approved'));
  const unchecked = { ...run, commands: [] };
  expect(checksAt(unchecked, gateOf(run))).toEqual({ green: 1, red: 0, elsewhere: 0 });
  expect(checksAt(unchecked, laterAt(gateOf(run)))).toEqual({ green: 0, red: 0, elsewhere: 1 });
});

test('checks in lanes are of no commit that a gate of the run shows, and their failures count', () => {
  const { run } = until(published('parallel-development@1'), isAsked('changes_approved'));
  const inLane = (over: Partial<CommandRun>) => run.commands.map((each) => ({ ...each, laneId: 'lane', ...over }));
  expect(checksAt({ ...run, commands: inLane({}) }, gateOf(run))).toMatchObject({ green: 0, red: 0 });
  expect(checksAt({ ...run, commands: inLane({ exitCode: 1 }) }, gateOf(run))).toMatchObject({ green: 0, red: 1 });
});
