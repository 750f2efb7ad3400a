import { z } from 'zod';
import { defineMethod } from '../contract.ts';

export const rpcDiscover = defineMethod({
  name: 'rpc.discover',
  summary: 'Describe all methods as an OpenRPC document',
  params: z.strictObject({}),
  result: z.record(z.string(), z.unknown()),
  changes: 'nothing',
  caller: 'anyone',
  paramNames: [],
  errors: [],
});
