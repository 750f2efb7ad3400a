import { z } from 'zod';
import { RunState } from '../../enums.ts';
import { defineMethod, defineRead } from '../contract.ts';
import { HostView } from '../views/host.ts';

export const hostList = defineRead({
  name: 'host.list',
  summary: 'List the hosts that have a daemon on this database',
  params: z.strictObject({}),
  result: z.array(HostView),
});

export const hostForget = defineMethod({
  name: 'host.forget',
  summary: 'Forget a host that is gone for good, and abort its open runs',
  params: z.strictObject({
    host: z.string().min(1),
    dryRun: z.boolean().default(false).describe('only say which runs would be aborted'),
  }),
  result: z.object({
    host: z.string(),
    trouble: z.string().describe('what is wrong with the host'),
    runs: z
      .array(z.object({ runId: z.string(), state: RunState, template: z.string(), repoPath: z.string() }))
      .describe('its open runs, which are aborted'),
    notAborted: z
      .array(z.object({ runId: z.string(), reason: z.string() }))
      .describe('those of them that could not be aborted, and why'),
    forgotten: z.boolean(),
  }),
  changes: { unless: 'dryRun' },
  caller: 'person',
  errors: ['not_found', 'state_conflict', 'run_elsewhere'],
});
