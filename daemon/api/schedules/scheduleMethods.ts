import { randomUUID } from 'node:crypto';
import { DevflowError } from '../../../schemas/errors.ts';
import type { ScheduleView } from '../../../schemas/rpc/views/schedule.ts';
import { type Here, hostOf } from '../../core/run/place.ts';
import type { Starter } from '../../engine/local/startRun.ts';
import type { HandlersOf } from '../../rpc/handlers.ts';
import { checkedTiming, nextTime, nextTimes } from '../../schedule/nextTime.ts';
import type { Scheduler } from '../../schedule/scheduler.ts';
import { type Schedule, type Schedules, scheduleTitle } from '../../store/schedules.ts';
import type { Clock } from '../../system/clock.ts';
import type { Ids } from '../lookup/ids.ts';
import { dryRunOf } from '../runs/dryRun.ts';
import { scheduledStart } from './scheduledStart.ts';

export interface ScheduleParts {
  ids: Pick<Ids, 'schedule'>;
  schedules: Schedules;
  scheduler: Pick<Scheduler, 'wake' | 'runNow'>;
  starter: Pick<Starter, 'preview'>;
  here: Here;
  /** The clock of this machine. */
  clock: Clock;
}

export function createScheduleMethods(parts: ScheduleParts): HandlersOf<'schedule'> {
  const { ids, schedules, scheduler, starter, here, clock } = parts;

  async function named(ref: string): Promise<Schedule> {
    const id = await ids.schedule(ref);
    return there(id, await schedules.read(id));
  }

  return {
    'schedule.add': async (params) => {
      const { expression, zone, repo, title = null, missed, host: _, dryRun, clientToken, ...request } = params;
      const earlier = clientToken === undefined || dryRun ? undefined : await schedules.read(clientToken);
      if (earlier) return { ...scheduleView(earlier, here), warnings: [] };
      const now = clock.now();
      const timing = checkedTiming({ expression, zone }, now);
      // Runs that are open now say nothing about the times to come.
      const asked = { ...scheduledStart({ repoPath: repo, title, request }), parallel: true };
      const prepared = await starter.preview(asked);
      if (dryRun) {
        const times = nextTimes(timing, now, 5).map((at) => at.toISOString());
        return { dryRun: true as const, ...timing, times, run: dryRunOf(prepared) };
      }
      const added = await schedules.add({
        id: clientToken ?? randomUUID(),
        host: here.shared ? here.id : null,
        title,
        ...timing,
        repoPath: prepared.repoPath,
        request,
        missed,
        nextAt: nextTime(timing, now),
        updatedAt: now,
      });
      scheduler.wake();
      return { ...scheduleView(added, here), warnings: prepared.notes.warnings };
    },
    'schedule.list': async () => (await schedules.list()).map((each) => scheduleView(each, here)),
    'schedule.remove': async ({ scheduleId }) => {
      const schedule = await named(scheduleId);
      await schedules.remove(schedule.id);
      scheduler.wake();
      return scheduleView(schedule, here);
    },
    'schedule.pause': async ({ scheduleId, paused }) => {
      const schedule = await named(scheduleId);
      if (schedule.paused === paused) return scheduleView(schedule, here);
      const now = clock.now();
      const nextAt = paused ? null : nextTime(checkedTiming(schedule, now), now);
      const changed = await schedules.change(schedule.id, { paused, nextAt, updatedAt: now });
      scheduler.wake();
      return scheduleView(there(schedule.id, changed), here);
    },
    'schedule.runNow': async ({ scheduleId, clientToken }) => {
      const schedule = await named(scheduleId);
      const { runId, warnings } = await scheduler.runNow(schedule, clientToken ?? randomUUID());
      return { scheduleId: schedule.id, runId, warnings: [...warnings] };
    },
  };
}

/** Another client may have removed it since its id was found. */
function there(id: string, schedule: Schedule | undefined): Schedule {
  if (schedule) return schedule;
  throw new DevflowError('not_found', `There is no schedule ${id}.`, { recoveryHint: 'See devflow schedule list.' });
}

function scheduleView(schedule: Schedule, here: Here): ScheduleView {
  const { id, expression, zone, repoPath, request, missed, paused, lastRunId, lastNote } = schedule;
  return {
    scheduleId: id,
    title: scheduleTitle(schedule),
    expression,
    zone,
    repoPath,
    template: request.template ?? null,
    requirements: request.requirements,
    missed,
    paused,
    ...(here.shared ? { host: hostOf(schedule, here) } : {}),
    createdAt: schedule.createdAt.toISOString(),
    nextAt: schedule.nextAt?.toISOString() ?? null,
    lastAt: schedule.lastAt?.toISOString() ?? null,
    lastRunId,
    lastNote,
  };
}
