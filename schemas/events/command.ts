import { z } from 'zod';
import { CommandKind } from '../enums.ts';
import { defineEvent, type KeyFacts } from './define.ts';

const perCommand =
  (type: string) =>
  ({ payload }: KeyFacts<{ commandId: string }>) =>
    `${type}:${payload.commandId}`;
const Finished = z.strictObject({
  commandId: z.string(),
  /** Null if a signal ended the command. */
  exitCode: z.number().int().nullable(),
  reason: z.string(),
  /** The last lines of its output, if it failed and an agent must repair that. Absent in older runs. */
  tail: z.string().optional(),
});

export const commandEvents = [
  defineEvent(
    'command.started',
    z.strictObject({
      commandId: z.string(),
      /** Absent: `main`. */
      laneId: z.string().optional(),
      /** In a lane: which turn of its agents the command checks. */
      turn: z.number().int().nonnegative().optional(),
      attempt: z.number().int().positive(),
      index: z.number().int().nonnegative(),
      kind: CommandKind,
      argv: z.array(z.string()),
      cwd: z.string(),
      /** Added to its environment. */
      env: z.record(z.string(), z.string()).optional(),
      stdoutPath: z.string(),
      stderrPath: z.string(),
      timeoutMs: z.number().int().positive(),
    }),
    perCommand('command.started'),
  ),
  defineEvent('command.completed', Finished, perCommand('command.completed')),
  defineEvent('command.failed', Finished, perCommand('command.failed')),
] as const;
