import { z } from 'zod';
import { CommandKind } from '../../enums.ts';
import { Time } from './refs.ts';

/** A command of devflow. It runs while `endedAt` is null. Later, a null `exitCode` means that a signal or the policy ended it. */
export const CommandView = z.object({
  commandId: z.string(),
  phaseKey: z.string().nullable(),
  attempt: z.number().int(),
  index: z.number().int(),
  kind: CommandKind,
  argv: z.array(z.string()),
  cwd: z.string(),
  exitCode: z.number().int().nullable(),
  reason: z.string().nullable(),
  stdoutPath: z.string().nullable(),
  stderrPath: z.string().nullable(),
  startedAt: Time.nullable(),
  endedAt: Time.nullable(),
});
export type CommandView = z.infer<typeof CommandView>;
