import { z } from 'zod';
import { MissedStart } from '../../enums.ts';
import { Time } from './refs.ts';

export const ScheduleView = z.object({
  scheduleId: z.string(),
  title: z.string(),
  expression: z.string().describe('five fields, as cron has them, or a name such as @daily'),
  zone: z.string().describe('the time zone, an IANA name'),
  repoPath: z.string(),
  template: z.string().nullable().describe('null: as the settings of the repository say'),
  requirements: z.string(),
  missed: MissedStart.describe('once: the newest of the times that were missed is made up for'),
  paused: z.boolean(),
  host: z.string().optional().describe('the host that starts its runs; absent: the only one'),
  createdAt: Time,
  nextAt: Time.nullable().describe('null while it is paused'),
  lastAt: Time.nullable().describe('the time that it was last started for, or should have been'),
  lastRunId: z.string().nullable(),
  lastNote: z.string().nullable().describe('why there was no start then, or what its run does without'),
});
export type ScheduleView = z.infer<typeof ScheduleView>;
