import { describe, expect, test } from 'vitest';
import * as rules from '../../../../daemon/core/run/behaviour.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import { Template } from '../../../../schemas/definitions/template.ts';
import { BEHAVIOURS } from '../support/behaviours.ts';
import { newRun } from '../support/run.ts';

const { readsWithoutBranch } = rules;

/** The rules that came with a behaviour. Recorded runs depend on each of these numbers. */
const CAME_WITH: Record<number, ((run: Run) => boolean)[]> = {
  2: [rules.bindsWorktree, rules.copiesInputs, rules.keepsSessionBoundary],
  3: [rules.keepsFailuresLocal],
  4: [rules.asksAboutTurns],
  5: [
    rules.namesOtherTasks,
    rules.looksTwiceAtChecks,
    rules.hashesLargeFiles,
    rules.comparesClaims,
    rules.asksEachDispute,
    rules.quotesRemovedLines,
    rules.briefsReviewers,
    rules.leavesOutAbandoned,
    rules.namesCulprit,
    rules.comparesRed,
  ],
  6: [
    rules.deliversAtEnd,
    rules.pointsPastBoundary,
    rules.needsConfirmation,
    rules.checksDriftsAgain,
    rules.asksBeyondLimit,
    rules.keepsWholeCycle,
    rules.namesFailedSteps,
    rules.commitsEachStep,
    rules.ranksByTargets,
    rules.readsPercentages,
    rules.reopensHoldout,
    rules.measuresApart,
  ],
  7: [rules.bindsBoundary, rules.keepsWorkOfSilentHost, rules.doubtsMetTargets],
};

const runs = BEHAVIOURS.map((behaviour) => newRun({ behaviour }).run);

describe.each(Object.entries(CAME_WITH))('from behaviour %s on', (first, each) => {
  test.each(each.map((rule) => [rule.name, rule] as const))('a run %s', (_, rule) => {
    const since = BEHAVIOURS.filter((behaviour) => behaviour >= Number(first));
    expect(runs.filter(rule).map(({ behaviour }) => behaviour)).toEqual(since);
  });
});

describe('a run has a branch', () => {
  const review = (key: string, ...roles: string[]) => ({
    key,
    title: 'Review',
    kind: 'review',
    risk: 'low',
    roles,
    instructions: 'Review it. {{review}}',
  });
  const make = {
    key: 'make',
    title: 'Make',
    risk: 'low',
    roles: ['reviewer'],
    expectedArtifact: { path: 'a.json', schema: 'dev/implementation@1' },
    instructions: 'Make it.',
  };
  const templateOf = (...phases: unknown[]) =>
    Template.parse({
      name: 'reviews',
      version: 1,
      roles: ['reviewer', 'verifier', 'fixer'].map((id) => ({ id, requiredCapabilities: ['code_edit'], count: 1 })),
      phases,
    });
  const reading = { behaviour: 5, reviewHead: 'head', template: templateOf(review('read', 'reviewer', 'verifier')) };

  test.each([
    ['not if it only reviews', {}, false],
    ['if it makes the change itself', { reviewHead: null }, true],
    ['if an older devflow began it', { behaviour: 4 }, true],
    ['if an agent makes something', { template: templateOf(make) }, true],
    [
      'if one of its reviews has somebody who fixes',
      { template: templateOf(review('read', 'reviewer', 'verifier'), review('fix', 'reviewer', 'verifier', 'fixer')) },
      true,
    ],
  ] as const)('%s', (_, over, hasBranch) => {
    expect(readsWithoutBranch({ ...reading, ...over } as Parameters<typeof readsWithoutBranch>[0])).toBe(!hasBranch);
  });
});
