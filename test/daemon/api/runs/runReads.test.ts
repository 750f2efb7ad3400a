import { expect, test } from 'vitest';
import { runDetail } from '../../../../daemon/api/runs/runDetail.ts';
import { createRunReads } from '../../../../daemon/api/runs/runReads.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { FilesCopied } from '../../../../daemon/events/worktreeProgress.ts';
import { bound, firstPhaseDone, given } from '../../core/support/given.ts';
import { SETUP } from '../../core/support/setup.ts';

type Parts = Parameters<typeof createRunReads>[0];

/** A daemon that works alone, and the runs of its database. */
function givenAlone(runs: Run[], copies: FilesCopied[] = []) {
  const here = { id: 'near', shared: false, unpinned: 'near' };
  return createRunReads({
    here,
    lists: {
      listRuns: async () => runs.map((run) => ({ ...runDetail(run), host: run.host })),
    },
    engine: {
      server: () => undefined,
      openRuns: () => runs.filter(({ host }) => host === null || host === 'near'),
      readRun: async (id: string) => runs.find((run) => run.id === id),
    },
    worktrees: { read: () => undefined, readCopies: () => copies },
    agentSlots: { listWaiting: () => [], counts: () => ({ limit: 4, working: 0, waiting: 0 }) },
    database: { drizzle: undefined },
    readHostOverview: async () => ({ hasOthers: false, troubles: new Map() }),
  } as unknown as Parts);
}

test('a run of another host waits for that host, where the local engine drives only its own', async () => {
  const { run } = given({}, ...firstPhaseDone);
  const runs = [
    { ...run, id: 'a', host: 'far' },
    { ...run, id: 'b', host: 'near' },
    { ...run, id: 'c', host: 'far', state: 'completed' as const },
  ];
  const [far, near, ended] = await givenAlone(runs).listRuns({});
  const sentence = 'host far: its runs wait, because this daemon drives only its own (engine: local)';
  expect(far).toMatchObject({ host: 'far', waitingFor: sentence, waitsForPerson: true });
  expect(near?.waitingFor).toMatch(/^a decision at /);
  expect(ended?.waitingFor).toBeNull();
});

test('a run says how many files the worktrees have that are being set up', async () => {
  const { run } = given({ setup: SETUP }, bound);
  const copies = [
    { laneId: 'main', files: 12_500, bytes: 340 * 1024 * 1024 },
    { laneId: 'lane-1', files: 0, bytes: 0 },
  ];
  expect(await givenAlone([run], copies).listRuns({})).toMatchObject([
    {
      waitingFor: 'the set-up of main (12,500 files, 340 MB copied)',
      alsoWaitsFor: ['the set-up of lane-1'],
      waitsForPerson: false,
    },
  ]);
});
