import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { SessionRef } from '../views/refs.ts';
import { SessionDetail } from '../views/session.ts';

export const sessionGet = defineMethod({
  name: 'session.get',
  summary: 'Show an agent session',
  params: z.strictObject({ sessionId: SessionRef }),
  result: SessionDetail,
  changes: 'nothing',
  caller: 'anyone',
  paramNames: ['sessionId'],
  errors: ['not_found', 'ambiguous_id'],
});
