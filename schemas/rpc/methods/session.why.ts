import { z } from 'zod';
import { SessionState, ShownSessionState } from '../../enums.ts';
import { defineMethod } from '../contract.ts';
import { SessionRef, Time } from '../views/refs.ts';

export const sessionWhy = defineMethod({
  name: 'session.why',
  summary: 'Explain the state of a session by its signals',
  params: z.strictObject({ sessionId: SessionRef }),
  result: z.object({
    sessionId: z.string(),
    state: ShownSessionState,
    since: Time.nullable(),
    sentence: z.string(),
    /** Oldest first. */
    signals: z.array(z.object({ at: Time, signal: z.string(), detail: z.string(), state: SessionState.nullable() })),
  }),
  answeredBy: { hostOf: 'sessionId', elsewhere: 'ask' },
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['sessionId'],
  errors: ['not_found', 'ambiguous_id'],
});
