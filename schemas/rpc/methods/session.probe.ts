import { z } from 'zod';
import { ShownSessionState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { SessionRef, Time } from '../views/refs.ts';

export const sessionProbe = defineMethod({
  name: 'session.probe',
  summary: 'Look at a pane now',
  params: z.strictObject({ sessionId: SessionRef }),
  result: z.object({
    sessionId: z.string(),
    state: ShownSessionState,
    alive: z.boolean(),
    paneActive: z.boolean(),
    lastOutputAt: Time.nullable(),
    hint: z.string().nullable(),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['sessionId'],
  errors: ['not_found', 'ambiguous_id'],
});
