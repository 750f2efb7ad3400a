import { expect, test } from 'vitest';
import { createScheduleMethods } from '../../../../daemon/api/schedules/scheduleMethods.ts';
import type { Prepared } from '../../../../daemon/engine/local/prepareStart.ts';
import type { StartRequest } from '../../../../daemon/engine/local/startRequest.ts';
import type { Call } from '../../../../daemon/rpc/peer.ts';
import type { Schedule } from '../../../../daemon/store/schedules.ts';
import { scheduleAdd } from '../../../../schemas/rpc/methods/schedule.ts';
import { givenSchedule, scheduleRows } from '../../schedule/givenSchedule.ts';

const NOW = new Date('2026-01-01T00:00:00Z');
const CALL = {} as Call;
const TOKEN = '5c4ed01e-0000-4000-8000-00000000000a';

function given(...rows: Schedule[]) {
  const { list, change, row, put } = scheduleRows(...rows);
  const previewed: StartRequest[] = [];
  const woken: string[] = [];
  const methods = createScheduleMethods({
    ids: { schedule: async (ref) => ref },
    schedules: {
      list,
      change,
      read: async (id) => row(id),
      add: async (each) => {
        put(givenSchedule(each));
        return row(each.id);
      },
      remove: async () => {},
    },
    scheduler: {
      wake: () => woken.push('wake'),
      runNow: async (_, runId) => ({ runId, warnings: ['Nobody allowed its checks.'] }),
    },
    starter: {
      async preview(request) {
        previewed.push(request);
        const template = { name: 'quick-change', version: 2, phases: [] };
        const notes = { uncommitted: null, submodules: [], warnings: ['Nobody allowed its checks.'] };
        return { request, template, repoPath: '/top', bindings: [], notes } as unknown as Prepared;
      },
    },
    here: { id: 'here', shared: false, unpinned: 'here' },
    clock: { now: () => NOW },
  });
  return { methods, row, previewed, woken };
}

const asked = (over: object = {}) =>
  scheduleAdd.params.parse({
    expression: '0 6 * * *',
    zone: 'Europe/Berlin',
    repo: '/top/sub',
    requirements: 'Tidy up.',
    ...over,
  });

test('adds what a start would take, at the top of the repository, from the next time on', async () => {
  const { methods, row, previewed, woken } = given();
  const added = await methods['schedule.add'](asked({ clientToken: TOKEN, backend: { coder: 'codex' } }), CALL);
  expect(added).toMatchObject({
    ...{ scheduleId: TOKEN, title: 'Tidy up.', repoPath: '/top', nextAt: '2026-01-01T05:00:00.000Z', missed: 'once' },
    warnings: ['Nobody allowed its checks.'],
  });
  expect(row(TOKEN).request).toEqual(
    expect.objectContaining({ requirements: 'Tidy up.', backend: { coder: 'codex' }, parallel: false }),
  );
  // A run that is open now is no reason against a schedule.
  expect(previewed).toMatchObject([{ repo: '/top/sub', overrides: { coder: { backend: 'codex' } }, parallel: true }]);
  expect(woken).toHaveLength(1);
  await methods['schedule.add'](asked({ clientToken: TOKEN, expression: '@yearly' }), CALL);
  expect(row(TOKEN).expression).toBe('0 6 * * *');
});

test('shows the next five times and what would run, and adds nothing', async () => {
  const { methods, row, woken } = given();
  const shown = await methods['schedule.add'](asked({ clientToken: TOKEN, dryRun: true }), CALL);
  expect(shown).toMatchObject({ dryRun: true, run: { template: 'quick-change@2', repoPath: '/top' } });
  expect('times' in shown && shown.times.map((at) => at.slice(8, 16))).toEqual(
    ['01', '02', '03', '04', '05'].map((day) => `${day}T05:00`),
  );
  expect([row(TOKEN), woken]).toEqual([undefined, []]);
});

test('pauses, and goes on from the next time without making up for any', async () => {
  const missed = new Date('2025-12-01T06:00:00Z');
  const { methods, row, woken } = given(givenSchedule({ nextAt: missed }));
  const { id } = row();
  const pause = (paused: boolean) => methods['schedule.pause']({ scheduleId: id, paused }, CALL);
  expect(await pause(true)).toMatchObject({ paused: true, nextAt: null });
  await pause(true);
  expect(await pause(false)).toMatchObject({ paused: false, nextAt: '2026-01-01T06:00:00.000Z' });
  expect(woken).toHaveLength(2);
});

test('says that a schedule is gone which another client has just removed', async () => {
  const { methods } = given();
  await expect(methods['schedule.remove']({ scheduleId: TOKEN }, CALL)).rejects.toMatchObject({ code: 'not_found' });
});
