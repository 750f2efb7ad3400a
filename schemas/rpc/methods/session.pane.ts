import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { PanePlace } from '../views/panePlace.ts';
import { SessionRef } from '../views/refs.ts';

/** The question of `session.attachTarget` to the host of a session. */
export const sessionPane = defineMethod({
  name: 'session.pane',
  summary: 'Name the tmux pane of a session on its host',
  params: z.strictObject({ sessionId: SessionRef }),
  result: PanePlace,
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['sessionId'],
  errors: ['not_found', 'ambiguous_id', 'state_conflict'],
});
