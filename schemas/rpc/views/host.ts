import { z } from 'zod';
import { HostState } from '../../enums.ts';
import { Time } from './refs.ts';

/** A machine with a daemon on this database. */
export const HostView = z.object({
  id: z.string(),
  state: HostState.describe('`waiting` is known of the host that answers only'),
  here: z.boolean().describe('the host that answers'),
  machine: z.string().nullable().describe('what its operating system calls it'),
  version: z.string().nullable(),
  pid: z.number().int(),
  runs: z.number().int().describe('open runs'),
  lastSeenAt: Time,
  clockSkewMs: z
    .number()
    .int()
    .nullable()
    .optional()
    .describe("how far its clock was ahead of the database's when it was last seen"),
});
export type HostView = z.infer<typeof HostView>;
