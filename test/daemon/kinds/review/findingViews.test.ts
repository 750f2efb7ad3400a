import { expect, test } from 'vitest';
import { findingViews } from '../../../../daemon/kinds/review/findingViews.ts';
import { derivedId } from '../../../../schemas/ids.ts';
import { type Play, reviewing } from '../../core/support/reviewStory.ts';

const look: Play['look'] = ({ scope }) => (scope === 'full' ? [{}] : []);

test('a finding that no fix removed blocks the change', () => {
  const { run } = reviewing({ look, prior: () => 'present', fixes: () => false });
  expect(findingViews(run)).toMatchObject([{ state: 'confirmed', isBlocker: true, verifierStatus: 'confirmed' }]);
});

test('a fixed finding was confirmed, and blocks nothing', () => {
  const { run } = reviewing({ look });
  expect(findingViews(run)).toMatchObject([{ state: 'fixed', isBlocker: false, verifierStatus: 'confirmed' }]);
});

test('the fingerprint of a finding is the same in another run, and no other finding has it', () => {
  const two: Play['look'] = ({ scope, roleId }) =>
    scope !== 'full' || roleId !== 'reviewer#0'
      ? []
      : [{}, { claim: 'It is slow.' }, { category: 'security' }, { line: 50 }, { line: 50, isAnchored: false }];
  const fingerprints = (runId: string, look: Play['look']) =>
    findingViews(reviewing({ look }, {}, { runId }).run).map(({ fingerprint }) => fingerprint);
  const [first, second] = [fingerprints(derivedId('one'), two), fingerprints(derivedId('two'), two)];
  expect(second).toEqual(first);
  expect(new Set(first).size).toBe(5);
  const reordered: Play['look'] = (seat) => two(seat).toReversed();
  expect(fingerprints(derivedId('three'), reordered).toSorted()).toEqual(first.toSorted());
});
