import { describe, expect, test } from 'vitest';
import type { Outcome } from '../../../daemon/core/effect/outcome.ts';
import { handleOutcome } from '../../../daemon/core/handleOutcome.ts';
import type { Run } from '../../../daemon/core/run/state.ts';
import type { ApprovalState } from '../../../schemas/enums.ts';
import { bound, firstPhaseDone, given, started } from './support/given.ts';

describe('a gate whose time is over', () => {
  const { run } = given({ approvalTimeoutMs: 1_000 }, ...firstPhaseDone);
  const gate = run.approvals[0] ?? expect.fail('a gate is open');
  const expired: Outcome = { type: 'approvalExpired', approvalRequestId: gate.id, since: gate.pendingSince };

  test('pauses the run, and says which gate it was and how often that was', () => {
    const [event, ...others] = handleOutcome({ ...run, pauses: 2 }, expired);
    expect(others).toEqual([]);
    expect(event).toEqual({
      type: 'run.paused',
      phaseId: gate.phaseId,
      payload: {
        cause: `approval_timeout:${gate.id}:3`,
        approvalRequestId: gate.id,
        pausedFrom: 'awaiting_approval',
        reason: 'the gate spec_approved timed out without a decision',
      },
    });
  });

  const inState = (state: ApprovalState): Run => ({ ...run, approvals: [{ ...gate, state }] });
  test.each<[string, Run, Outcome]>([
    ['if the run is paused already', { ...run, frozen: true }, expired],
    ['if a person decided before', inState('approved'), expired],
    ['if the gate waits for a paused run', inState('paused'), expired],
    ['if it was asked again since', run, { ...expired, since: 'an earlier time' }],
    ['if the run has no such gate', { ...run, approvals: [] }, expired],
  ])('causes nothing %s', (_, at, outcome) => expect(handleOutcome(at, outcome)).toEqual([]));
});

test('an outcome that the kind of its phase does not know causes nothing', () => {
  const { run } = given({}, bound, started);
  const phaseId = run.phases[0]?.id ?? '';
  const prepared: Outcome = {
    type: 'lanePrepared',
    phaseId,
    laneId: 'lane',
    onto: 'base',
    head: 'head',
    conflicts: [],
  };
  expect(handleOutcome(run, prepared)).toEqual([]);
});
