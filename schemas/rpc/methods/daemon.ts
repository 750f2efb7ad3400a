import { z } from 'zod';
import { DatabaseMode, HostState, RunState, SessionState, StallCause } from '../../enums.ts';
import { defineAct, defineMethod, defineRead } from '../contract.ts';
import { DefinitionProblem } from '../views/definition.ts';
import { EndsCount } from '../views/ends.ts';
import { PlaceCounts } from '../views/queue.ts';
import { PathText, Time } from '../views/refs.ts';
import { AdoptionCounts, SlotCounts } from '../views/session.ts';

export const daemonStatus = defineRead({
  name: 'daemon.status',
  summary: 'Show daemon, database, runs, approvals and sessions at a glance',
  params: z.strictObject({
    ended: z.boolean().default(false).describe('also count what ended runs left here, for at most half a second'),
  }),
  result: z.object({
    daemon: z.object({
      pid: z.number().int(),
      version: z.string(),
      build: z.string().optional().describe('identifies the sources of the build'),
      socket: z.string(),
      startedAt: Time,
    }),
    database: z.object({ mode: DatabaseMode, ok: z.boolean() }),
    temporal: z
      .object({
        address: z.string(),
        namespace: z.string(),
        away: z.object({ since: Time, reason: z.string() }).nullable().describe('null while it answers'),
      })
      .optional()
      .describe('the Temporal server; absent with `engine: local`'),
    runs: z.partialRecord(RunState, z.number().int()),
    approvals: z.object({ pending: z.number().int() }),
    sessions: z.partialRecord(SessionState, z.number().int()),
    stalls: z
      .partialRecord(StallCause, z.number().int())
      .describe('agents of open runs that something keeps from going on'),
    agents: AdoptionCounts.describe('what the daemon did at its start with the agents of open runs'),
    agentSlots: SlotCounts.describe('agents at work now, over all runs'),
    places: PlaceCounts.optional().describe('runs at work and queued on this host; an older daemon does not say'),
    hosts: z
      .array(z.object({ id: z.string(), state: HostState, here: z.boolean() }))
      .optional()
      .describe('absent if devflow works on one host alone'),
    clocks: z
      .array(z.object({ host: z.string(), skewMs: z.number().int().describe('ahead of it, in ms') }))
      .optional()
      .describe("hosts that are up and whose clock differs from the database's by more than 2 s; absent if none"),
    settings: z
      .array(z.object({ path: z.string(), sha256: z.string().nullable().describe('null if it was missing') }))
      .optional()
      .describe('the files of settings as the daemon read them at its start'),
    webhook: z
      .object({
        host: z.string().describe('of its address, which is a secret otherwise'),
        waiting: z.number().int().describe('news that it has not taken yet'),
        since: Time.nullable().describe('of the oldest of them'),
        problem: z.string().nullable().describe('why the last try failed'),
      })
      .optional()
      .describe('absent without `notify.webhook.url`'),
    schedules: z
      .object({
        count: z.number().int(),
        paused: z.number().int(),
        next: z.object({ scheduleId: z.string(), title: z.string(), at: Time }).nullable().describe('the next start'),
      })
      .optional()
      .describe('the schedules of this host; absent if there is none'),
    ended: EndsCount.optional().describe('absent unless it is asked for, and if it cannot be counted'),
    /** The user's own files that cannot be used now, each left out, and directories that are not watched. */
    problems: z.array(DefinitionProblem),
  }),
});

export const daemonStop = defineAct({
  name: 'daemon.stop',
  summary: 'Stop the daemon; agents keep running in their panes',
  params: z.strictObject({}),
  result: z.object({ stopping: z.literal(true), pid: z.number().int() }),
});

export const daemonDoctor = defineMethod({
  name: 'daemon.doctor',
  summary: 'Check what devflow needs, from inside the daemon',
  params: z.strictObject({
    strict: z.boolean().default(false),
    /** Instead of the checks: one `warn` for each orphaned worktree; `detail` is its path. */
    listOrphans: z.boolean().default(false),
    /** Instead of the checks: starts each installed agent in a scratch directory, without a prompt. */
    agents: z.boolean().default(false),
    /**
     * Instead of the checks. `pass` for each database whose home is gone and that can be removed; `warn` if it is kept.
     */
    removeOrphanedData: z.boolean().default(false),
    /** With `removeOrphanedData`: the `name` of each result that a person has confirmed. Only those are removed. */
    confirmed: z.array(z.string().max(100)).max(10_000).default([]),
    /** The person's directory, as an absolute path. Absent: that of the process which checks. */
    cwd: PathText.optional(),
  }),
  result: z.array(
    z.object({
      name: z.string(),
      status: z.enum(['pass', 'warn', 'fail']),
      detail: z.string(),
      remediation: z.string().nullable(),
    }),
  ),
  changes: { if: 'removeOrphanedData', ofAnyHome: true },
  caller: 'person',
  withoutDaemon: true,
});
