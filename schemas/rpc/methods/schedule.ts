import { z } from 'zod';
import { MissedStart } from '../../enums.ts';
import { defineAct, defineMethod, defineRead } from '../contract.ts';
import { Ref, Time } from '../views/refs.ts';
import { ScheduleView } from '../views/schedule.ts';
import { DryRun, runStart } from './runStart.ts';

const { repo, template, requirements, title, base, bind, backend, sandbox, settings, parallel, host, clientToken } =
  runStart.params.shape;

const ScheduleRef = Ref.describe('schedule id or unambiguous prefix');

/** It may start as a person may, so only a person adds one. What the settings run needs a consent at each start. */
export const scheduleAdd = defineMethod({
  name: 'schedule.add',
  summary: 'Start a run again and again, at the times of a cron expression',
  params: z.strictObject({
    expression: z.string().describe('minute, hour, day of the month, month, day of the week; or a name such as @daily'),
    zone: z.string().describe('the time zone, an IANA name such as Europe/Berlin'),
    ...{ repo, template, requirements, title, base, bind, backend, sandbox, settings, parallel },
    missed: MissedStart.default('once').describe(
      'once: the newest of the times at which devflow did not run is made up for; skip: none is',
    ),
    host,
    dryRun: z.boolean().default(false).describe('show the next times and what would run, and add nothing'),
    clientToken,
  }),
  result: z.union([
    ScheduleView.extend({ warnings: z.array(z.string()) }),
    z.object({
      dryRun: z.literal(true),
      expression: z.string(),
      zone: z.string(),
      times: z.array(Time).describe('the next five'),
      run: DryRun,
    }),
  ]),
  answeredBy: { hostOf: 'host', elsewhere: 'ask' },
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: runStart.errors,
});

export const scheduleList = defineRead({
  name: 'schedule.list',
  summary: 'List the schedules, the oldest first',
  params: z.strictObject({}),
  result: z.array(ScheduleView),
});

export const scheduleRemove = defineAct({
  name: 'schedule.remove',
  summary: 'Remove a schedule; its runs stay',
  params: z.strictObject({ scheduleId: ScheduleRef }),
  result: ScheduleView,
  answeredBy: { hostOf: 'scheduleId', elsewhere: 'askOrAnswer' },
  errors: ['not_found', 'ambiguous_id', 'host_unreachable'],
});

export const schedulePause = defineAct({
  name: 'schedule.pause',
  summary: 'Pause a schedule, or let it go on; what it missed meanwhile is not made up for',
  params: z.strictObject({ scheduleId: ScheduleRef, paused: z.boolean().default(true) }),
  result: ScheduleView,
  answeredBy: { hostOf: 'scheduleId', elsewhere: 'askOrAnswer' },
  errors: ['not_found', 'ambiguous_id', 'host_unreachable', 'usage'],
});

export const scheduleRunNow = defineAct({
  name: 'schedule.runNow',
  summary: 'Start a run of a schedule now, beside its times',
  params: z.strictObject({ scheduleId: ScheduleRef, clientToken }),
  result: z.object({ scheduleId: z.string(), runId: z.string(), warnings: z.array(z.string()) }),
  answeredBy: { hostOf: 'scheduleId', elsewhere: 'ask' },
  errors: [...runStart.errors, 'ambiguous_id', 'state_conflict'],
});
