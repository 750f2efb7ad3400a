import { z } from 'zod';
import { defineMethod } from '../contract.ts';
import { HostView } from '../views/host.ts';

export const hostList = defineMethod({
  name: 'host.list',
  summary: 'List the hosts that have a daemon on this database',
  params: z.strictObject({}),
  result: z.array(HostView),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: [],
  errors: [],
});
