import { expect, test } from 'vitest';
import type { Approval } from '../../../../daemon/core/run/state.ts';
import { observeHere, withObserved } from '../../../../daemon/engine/local/observe.ts';
import { bound, failed, given, sent, started } from '../../core/support/given.ts';
import { newRun } from '../../core/support/run.ts';

const { run } = newRun({ template: 'withoutGate' });
const gate = { gateKey: 'merge' } as Approval;

test('observes nothing of a run of another host, and names that host', () => {
  const observe = observeHere(() => expect.fail('its files are not here'), { id: 'a', shared: true, unpinned: 'b' });
  expect(() => observe(run, gate)).toThrow('gate merge shows is on host b, which does not answer');
  expect(() => observe({ ...run, host: 'c' }, gate)).toThrow('on host c,');
});

test('observes a run of this host', async () => {
  const observed = { artifacts: [], head: null, worktree: null } as never;
  const observe = observeHere(async () => observed, { id: 'a', shared: true, unpinned: 'a' });
  expect(await observe(run, gate)).toBe(observed);
});

test('observes nothing for a decision that the gate does not take', async () => {
  const held = given({}, bound, started, sent, failed('awaitArtifact', 'host_unreachable')).run;
  const approvalRequestId = held.approvals[0]?.id as string;
  const signal = { type: 'decide', approvalRequestId, action: 'approve', comment: null, clientToken: 'x' } as const;
  expect(await withObserved(held, signal, () => expect.fail('its files are not here'))).toBe(signal);
});
