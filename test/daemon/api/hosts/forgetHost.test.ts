import { expect, test } from 'vitest';
import { forgetHost } from '../../../../daemon/api/hosts/forgetHost.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { HostRow } from '../../../../daemon/store/hosts.ts';
import { DevflowError } from '../../../../schemas/errors.ts';

const far: HostRow = {
  id: 'far',
  state: 'silent',
  machine: 'm',
  version: '1',
  pid: 1,
  lastSeenAt: '2026-01-02T03:04:05.000Z',
  clockSkewMs: null,
  silentMs: 60_000,
};

/** A host that is gone, with open runs; what the abort of each throws. */
function given(runs: Record<string, DevflowError | undefined>, { isBack = false } = {}) {
  const aborted: string[] = [];
  const parts = {
    here: { id: 'near', shared: true, unpinned: 'near' },
    engine: {
      async abortRun(runId: string) {
        const error = runs[runId];
        if (error) throw error;
        aborted.push(runId);
        return { state: 'aborted' as const, changed: true };
      },
      async readRun(runId: string) {
        const error = runs[runId];
        if (error?.code !== 'state_conflict') throw error;
        return { id: runId, state: 'aborted' } as Run;
      },
    },
    listHosts: async () => [far],
    listOpenRunsOf: async () =>
      Object.keys(runs).map((runId) => ({ runId, state: 'executing' as const, template: 't@1', repoPath: '/r' })),
    forgetHost: async () => !isBack,
  };
  return { aborted, forget: () => forgetHost(parts, { host: 'far', dryRun: false }) };
}

test('names a run that cannot be aborted, and goes on', async () => {
  const damaged = new DevflowError('internal_state_corruption', 'Its log cannot be read.');
  const { aborted, forget } = given({ one: damaged, two: undefined });
  expect(await forget()).toMatchObject({
    notAborted: [{ runId: 'one', reason: 'Its log cannot be read.' }],
    forgotten: true,
  });
  expect(aborted).toEqual(['two']);
});

test('takes a run that another person has just aborted for aborted', async () => {
  const { forget } = given({ one: new DevflowError('state_conflict', 'Run one has ended.') });
  expect(await forget()).toMatchObject({ notAborted: [], forgotten: true });
});

test('says that the host came back meanwhile', async () => {
  const { forget } = given({ one: undefined }, { isBack: true });
  await expect(forget()).rejects.toMatchObject({
    code: 'state_conflict',
    message: expect.stringMatching(/^Host far came back/),
  });
});
