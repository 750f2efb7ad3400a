import { expect, test } from 'vitest';
import { createRunMethods, type RunParts } from '../../../../daemon/api/runs/runMethods.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { Call } from '../../../../daemon/rpc/peer.ts';
import { bound, given } from '../../core/support/given.ts';

test('a run that has just ended is cleaned up once its last files are committed', async () => {
  const { run } = given({}, bound);
  const repoPath = '/there/is/no/such/directory';
  let now: Run = { ...run, repoPath, lanes: run.lanes.map((lane) => ({ ...lane, path: `${repoPath}/${lane.id}` })) };
  const methods = createRunMethods({
    ids: { run: async () => run.id },
    engine: {
      readRun: async () => now,
      settled: async () => {
        now = { ...now, state: 'completed' };
      },
    },
    gitCommands: { add: async () => {} },
    filters: [],
    log: { warn: () => {} },
  } as unknown as RunParts);
  const cleaned = await methods['run.cleanup']({ runId: run.id, force: false }, {} as Call);
  expect(cleaned).toMatchObject({ runId: run.id, removed: [], kept: [] });
});
