import { basename } from 'node:path';
import { scheduledStart } from '../api/schedules/scheduledStart.ts';
import type { Starter } from '../engine/local/startRun.ts';
import { createScheduler, type Scheduler } from '../schedule/scheduler.ts';
import { maskSecrets } from '../sessions/transcript/maskSecrets.ts';
import { createSchedules, type Schedule, scheduleTitle } from '../store/schedules.ts';
import { systemClock } from '../system/clock.ts';
import type { Ground } from './ground.ts';
import type { Agents } from './openAgents.ts';
import type { Store } from './openStore.ts';

/** The starts of this host's schedules. */
export function openScheduler(
  { lifecycle, logOf }: Ground,
  { here, database }: Pick<Store, 'here' | 'database'>,
  { engine, tellPerson }: Pick<Agents, 'engine' | 'tellPerson'>,
  starter: Pick<Starter, 'startRun'>,
): Scheduler {
  const schedules = createSchedules(database.pool);
  const scheduler = createScheduler({
    clock: systemClock,
    after(ms, act) {
      const timer = setTimeout(act, ms).unref();
      return () => clearTimeout(timer);
    },
    list: () => schedules.list({ host: here.id, isUnpinned: here.id === here.unpinned }),
    change: schedules.change,
    start: (schedule, occurrence, clientToken) =>
      starter.startRun({
        ...scheduledStart(schedule),
        clientToken,
        schedule: { id: schedule.id, occurrence: occurrence.toISOString() },
      }),
    openRunOf: (id) => engine.openRuns().find(({ schedule }) => schedule?.id === id)?.id,
    tell: (schedule, at, note) => tellPerson(newsOf(schedule, at), note),
    log: logOf('schedule'),
  });
  lifecycle.hold('schedules', scheduler.close);
  return scheduler;
}

function newsOf(schedule: Schedule, at: Date) {
  const { id, repoPath, title, request } = schedule;
  // Before the cut, after which a secret would no longer be known as one.
  const masked = { title, request: { ...request, requirements: maskSecrets(request.requirements) } };
  return {
    kind: 'schedule' as const,
    key: `schedule:${id}:${at.toISOString()}`,
    since: at.toISOString(),
    title: `devflow: ${basename(repoPath)}: ${scheduleTitle(masked)}`,
    text: 'The schedule started no run.',
    how: 'devflow schedule list',
  };
}
