import { expect, test } from 'vitest';
import { findingViews } from '../../../../../daemon/engine/core/review/findingViews.ts';
import { type Play, reviewing } from '../support/reviewStory.ts';

const look: Play['look'] = ({ scope }) => (scope === 'full' ? [{}] : []);

test('a finding that no fix removed blocks the change', () => {
  const { run } = reviewing({ look, prior: () => 'present', fixes: () => false });
  expect(findingViews(run)).toMatchObject([{ state: 'confirmed', isBlocker: true, verifierStatus: 'confirmed' }]);
});

test('a fixed finding was confirmed, and blocks nothing', () => {
  const { run } = reviewing({ look });
  expect(findingViews(run)).toMatchObject([{ state: 'fixed', isBlocker: false, verifierStatus: 'confirmed' }]);
});
