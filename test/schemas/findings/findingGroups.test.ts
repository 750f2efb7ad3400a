import { expect, test } from 'vitest';
import { FindingSeverity } from '../../../schemas/enums.ts';
import { findingGroups, sortedFindings } from '../../../schemas/findings/findingGroups.ts';
import { findingTotals, onlyBackend } from '../../../schemas/findings/findingWords.ts';
import { FINDING_SEVERITIES } from '../../../schemas/states/findings.ts';
import { FINDINGS, givenFinding, reporter } from '../../helpers/givenFinding.ts';

test('groups findings by what a person must do, the most severe first', () => {
  const groups = findingGroups(FINDINGS).map(({ title, findings }) => [
    title,
    ...findings.map(({ findingId }) => findingId),
  ]);
  expect(groups).toEqual([
    ['Blockers', 'blocker', 'disputed', 'medium'],
    ['Reported only', 'reported'],
    ['Fixed or accepted', 'fixed'],
    ['Rejected or duplicate', 'rejected', 'duplicate'],
  ]);
  expect(sortedFindings(FINDINGS)).toHaveLength(FINDINGS.length);
});

test('knows the order of the severities', () => {
  expect(Object.keys(FINDING_SEVERITIES)).toEqual(FindingSeverity.options);
});

test('lists a finding of each state once', () => {
  for (const state of ['unverified', 'confirmed', 'rejected', 'disputed', 'duplicate', 'fixed', 'accepted'] as const)
    for (const isBlocker of [true, false])
      expect(sortedFindings([givenFinding({ state, isBlocker })]), state).toHaveLength(1);
});

test('orders findings of one severity by place', () => {
  const places = [
    { path: 'b.ts', line: 1 },
    { path: 'a.ts', line: 10 },
    { path: 'a.ts', line: 9 },
  ];
  expect(sortedFindings(places.map(givenFinding)).map(({ path, line }) => `${path}:${line}`)).toEqual([
    'a.ts:9',
    'a.ts:10',
    'b.ts:1',
  ]);
});

test('names the backend if only one reported anything', () => {
  expect(onlyBackend(FINDINGS)).toBeUndefined();
  expect(onlyBackend([])).toBeUndefined();
  const found = [givenFinding({ reporters: [reporter('codex'), reporter('codex', { round: 2 })] })];
  expect(onlyBackend(found)).toBe('codex');
  expect(findingTotals(found)).toBe('1 finding blocks the change. 1 finding in total.');
  expect(findingTotals(FINDINGS)).toBe('3 findings block the change. 7 findings in total.');
});
