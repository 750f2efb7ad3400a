import { z } from 'zod';
import { defineRead } from '../contract.ts';

export const rpcDiscover = defineRead({
  name: 'rpc.discover',
  summary: 'Describe all methods as an OpenRPC document',
  params: z.strictObject({}),
  result: z.record(z.string(), z.unknown()),
});
