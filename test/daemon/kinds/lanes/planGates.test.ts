import { expect, test } from 'vitest';
import { phasesOf } from '../../../../daemon/core/run/query.ts';
import type { Approval } from '../../../../daemon/core/run/state.ts';
import type { LanesPhase } from '../../../../daemon/kinds/lanes/plan.ts';
import { planGates } from '../../../../daemon/kinds/lanes/planGates.ts';
import { gate, givenLanes } from '../../api/runs/lanes/givenLanes.ts';

/** The gates about the plan, of a phase in its second attempt. */
function found(gates: Approval[], over: Partial<LanesPhase> = {}): string[] {
  const run = givenLanes({ plan: 'newer' }, { approvals: gates });
  const [phase] = phasesOf('lanes', run);
  if (!phase) throw new TypeError('the run has a phase with lanes');
  return planGates(run, { ...phase, attempts: 2, ...over }, 'base_red').map(({ id }) => id);
}
const asked = (id: string, over: Partial<Approval>) => gate(id, { gateKey: 'base_red', laneId: 'main', ...over });

test('gates about a plan hold for all attempts with it, and for no other plan', () => {
  const gates = [
    asked('of this plan', { attempt: 1, subject: { plan: 'newer' } }),
    asked('of another plan', { attempt: 2, subject: { plan: 'older' } }),
  ];
  expect(found(gates)).toEqual(['of this plan']);
  expect(found(gates, { dag: null })).toEqual([]);
});

test('an older gate, which names no plan, holds for its attempt', () => {
  expect(found([asked('before', { attempt: 1 }), asked('now', { attempt: 2 })])).toEqual(['now']);
});

test.each<[string, Partial<Approval>]>([
  ['of another phase', { phaseId: 'phase-1' }],
  ['of a lane', { laneId: 'lane-1' }],
  ['about something else', { gateKey: 'writeset_conflict' }],
])('a gate %s is not about the plan', (id, over) => {
  expect(found([asked(id, { subject: { plan: 'newer' }, ...over })])).toEqual([]);
});
