import { expect, test } from 'vitest';
import { printApproval } from '../../cli/gates.ts';
import type { ApprovalDetail } from '../../schemas/rpc/views/approval.ts';
import { fakeIo } from './fakeIo.ts';

const ANSWERED: ApprovalDetail = {
  ...{ id: 'gate', runId: 'run', gateKey: 'agent_asks', kind: 'agent', phaseKey: 'spec', attempt: 1, state: 'aborted' },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', resolvedAt: '2026-01-01T00:01:00.000Z' },
  ...{ question: 'planner (fake) asks.', artifactHash: null, timeoutMs: null, subject: {}, actions: [], artifacts: [] },
  ...{ diff: null, uncommittedFiles: null, commands: [], sessionIds: [], decisions: [] },
};
const ABORTED = { decisionId: 'it', action: 'abort', comment: null, decidedAt: '2026-01-01T00:01:00.000Z' } as const;

test.each([
  ['an agent that was answered in its pane', ANSWERED, 'closed'],
  ['one at which the run was aborted', { ...ANSWERED, decisions: [ABORTED] }, 'aborted'],
])('the gate of %s', (_, approval, state) => {
  const io = fakeIo();
  printApproval(io, approval);
  expect(io.written.out).toMatch(new RegExp(`^state +${state}$`, 'm'));
});

test('a gate names the repositories that its commit leaves out, each on one line', () => {
  const io = fakeIo();
  printApproval(io, { ...ANSWERED, kind: 'gate', nestedRepositories: ['vendor/lib', 'odd\nname'] });
  expect(io.written.out).toMatch(/left out of the commit:\n {2}vendor\/lib\n {2}odd.name\n/);
});
