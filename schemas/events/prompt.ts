import { z } from 'zod';
import { defineEvent, type KeyFacts } from './define.ts';

const Sent = z.strictObject({
  dedupKey: z.string(),
  promptId: z.string(),
  sessionId: z.string(),
  roleId: z.string(),
  attempt: z.number().int().positive(),
  expectedArtifact: z.string(),
  expectedSchema: z.string(),
  /** Copies of approved artifacts that were changed, and that devflow restored. */
  changedInputs: z.array(z.string()).optional(),
});
const byDedupKey =
  (type: string) =>
  ({ payload }: KeyFacts<{ dedupKey: string }>) =>
    `${type}:${payload.dedupKey}`;

export const promptEvents = [
  defineEvent('prompt.sent', Sent, byDedupKey('prompt.sent')),
  defineEvent('prompt.repaired', Sent, byDedupKey('prompt.repaired')),
] as const;
