import { z } from 'zod';
import { defineMethod } from '../contract.ts';

export const daemonStop = defineMethod({
  name: 'daemon.stop',
  summary: 'Stop the daemon; agents keep running in their panes',
  params: z.strictObject({}),
  result: z.object({ stopping: z.literal(true), pid: z.number().int() }),
  changes: 'something',
  caller: 'person',
  paramNames: [],
  errors: [],
});
