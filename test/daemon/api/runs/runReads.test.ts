import { expect, test } from 'vitest';
import { runDetail } from '../../../../daemon/api/runs/runDetail.ts';
import { createRunReads } from '../../../../daemon/api/runs/runReads.ts';
import type { Run } from '../../../../daemon/core/run/state.ts';
import type { FilesCopied } from '../../../../daemon/events/worktreeProgress.ts';
import { bound, firstPhaseDone, given } from '../../core/support/given.ts';
import { SETUP } from '../../core/support/setup.ts';
import { givenPlaces } from '../../engine/local/support/places.ts';

type Parts = Parameters<typeof createRunReads>[0];

/** A daemon that works alone, and the runs of its database. */
function givenAlone(runs: Run[], copies: FilesCopied[] = [], runPlaces = givenPlaces()) {
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
    runPlaces,
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

test('a queued run says its turn, and asks a person only if the run before it did not complete', async () => {
  const { run } = given({});
  const queued = (predecessor?: 'open' | 'failed' | 'gone') => {
    const place = { position: 3, of: 12, ...(predecessor && { after: '22220000-0000' }) };
    const runPlaces = {
      queue: () => [{ runId: run.id, rank: 'a', place, ...(predecessor && { predecessor }) }],
      counts: () => ({ atWork: 4, queued: 12, limit: 4 }),
    } as unknown as ReturnType<typeof givenPlaces>;
    return givenAlone([run], [], runPlaces).listRuns({});
  };
  const id = run.id.slice(0, 8);
  const ways = `devflow run move ${id} --release, or devflow run abort ${id}`;
  expect(await queued()).toMatchObject([
    {
      state: 'created',
      queue: { position: 3, of: 12 },
      waitingFor: 'its turn: 3 of 12 in the queue, 4 of 4 runs at work',
      waitsForPerson: false,
    },
  ]);
  expect(await queued('open')).toMatchObject([
    { queue: { after: '22220000-0000' }, waitingFor: 'run 22220000, which comes first', waitsForPerson: false },
  ]);
  const [failed] = await queued('failed');
  expect(failed).toMatchObject({
    waitingFor: `your decision, because run 22220000 failed: ${ways}`,
    waitsForPerson: true,
  });
  expect((await queued('gone'))[0]?.waitingFor).toContain('because run 22220000 is gone');
});
