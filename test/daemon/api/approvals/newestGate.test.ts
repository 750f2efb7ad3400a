import { expect, test } from 'vitest';
import { createApprovalMethods } from '../../../../daemon/api/approvals/approvalMethods.ts';
import type { RunEngine } from '../../../../daemon/engine/runEngine.ts';
import type { Call } from '../../../../daemon/rpc/peer.ts';
import { createRegistry } from '../../../../schemas/definitions/registry.ts';
import { bound, firstPhaseDone, given } from '../../core/support/given.ts';

test('shows a gate that the log has and this daemon has not heard of yet', async () => {
  const before = given({}, bound).run;
  const { run } = given({}, ...firstPhaseDone);
  const approvalId = run.approvals[0]?.id as string;
  const methods = createApprovalMethods({
    ids: { approval: async () => ({ approvalId, runId: run.id }) } as unknown as Parameters<
      typeof createApprovalMethods
    >[0]['ids'],
    engine: { readRun: async () => before } as unknown as RunEngine,
    lists: { listApprovals: async () => [] },
    runLog: { readRun: async () => run },
    refusedAt: () => [],
    registryOf: async () => createRegistry({ builtinDir: '/nowhere' }),
  });
  expect(await methods['approval.get']({ approvalId }, {} as Call)).toMatchObject({ id: approvalId, state: 'pending' });
});
