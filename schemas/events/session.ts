import { z } from 'zod';
import { Backend, Recovery } from '../enums.ts';
import { defineEvent, type KeyFacts } from './define.ts';

const sessionId = z.string();
const recoveryAttempts = z.number().int().nonnegative();
const once =
  (type: string) =>
  ({ payload }: KeyFacts<{ sessionId: string }>) =>
    `${type}:${payload.sessionId}`;
const perPrompt =
  (type: string) =>
  ({ payload }: KeyFacts<{ sessionId: string; dedupKey: string }>) =>
    `${type}:${payload.sessionId}:${payload.dedupKey}`;
const perRecovery =
  (type: string) =>
  ({ payload }: KeyFacts<{ sessionId: string; recoveryAttempts: number }>) =>
    `${type}:${payload.sessionId}:${payload.recoveryAttempts}`;

export const sessionEvents = [
  defineEvent(
    'session.created',
    z.strictObject({
      sessionId,
      roleId: z.string(),
      /** Absent: `main`. */
      laneId: z.string().optional(),
      backend: Backend,
      cwd: z.string(),
    }),
    once('session.created'),
  ),
  defineEvent('session.ready', z.strictObject({ sessionId, recoveryAttempts }), perRecovery('session.ready')),
  defineEvent('session.busy', z.strictObject({ sessionId, dedupKey: z.string() }), perPrompt('session.busy')),
  defineEvent('session.idle', z.strictObject({ sessionId, dedupKey: z.string() }), perPrompt('session.idle')),
  defineEvent(
    'session.crashed',
    z.strictObject({ sessionId, recoveryAttempts, code: z.string(), reason: z.string() }),
    perRecovery('session.crashed'),
  ),
  defineEvent(
    'session.recovered',
    z.strictObject({
      sessionId,
      recoveryAttempts,
      how: Recovery,
      hint: z.string().optional(),
    }),
    perRecovery('session.recovered'),
  ),
  defineEvent(
    'session.failed',
    z.strictObject({
      sessionId,
      code: z.string(),
      /** The session's last report. Absent in older runs. */
      reason: z.string().optional(),
      recoveryHint: z.string(),
    }),
    once('session.failed'),
  ),
] as const;
