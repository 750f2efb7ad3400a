import { z } from 'zod';
import { Backend, ShownSessionState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { PanePlace } from '../views/panePlace.ts';

/** The caller builds the tmux command: only it knows whether it is inside tmux. */
export const sessionAttachTarget = defineMethod({
  name: 'session.attachTarget',
  summary: 'Name the tmux pane to attach to',
  params: z.strictObject({
    target: z
      .string()
      .min(1)
      .optional()
      .describe('run, run/role, run/role@lane or session; absent: the session that needs a person most'),
    next: z
      .strictObject({ after: z.string().optional().describe('the session that is shown now') })
      .optional()
      .describe('instead of a target: the next session with a pane that needs a person, most urgent first'),
  }),
  result: z.object({
    sessionId: z.string(),
    runId: z.string(),
    repoPath: z.string(),
    roleId: z.string(),
    laneId: z.string(),
    backend: Backend,
    state: ShownSessionState,
    host: z.string().nullable().describe('the host that has the pane; null: this one'),
    tmux: PanePlace,
  }),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['target'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict', 'host_unreachable', 'usage'],
});
