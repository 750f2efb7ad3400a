import { expect, test } from 'vitest';
import { decidable } from '../../../schemas/gates/decidable.ts';

const gate = { gateKey: 'plan_approved', kind: 'gate', laneId: null, assignment: null, state: 'pending' } as const;
const ALL = ['approve', 'reject', 'request_changes', 'abort'];

test.each(['awaiting_approval', 'executing', 'planning'] as const)(
  'a gate can be decided while its run is %s',
  (run) => {
    expect(decidable(gate, run)).toEqual(ALL);
  },
);

test.each(['paused', 'completed', 'failed', 'aborted'] as const)(
  'a gate cannot be decided while its run is %s',
  (run) => {
    expect(decidable(gate, run)).toEqual([]);
  },
);

test('a decided gate takes no decision', () => {
  expect(decidable({ ...gate, state: 'approved' }, 'awaiting_approval')).toEqual([]);
});

test('a recovery gate can be decided while its run is paused', () => {
  expect(decidable({ ...gate, gateKey: 'recovery', kind: 'recovery', assignment: 'a' }, 'paused')).toEqual(ALL);
});

test('nobody can request changes of a base that is red', () => {
  expect(decidable({ ...gate, gateKey: 'base_red' }, 'executing')).toEqual(['approve', 'reject', 'abort']);
});
