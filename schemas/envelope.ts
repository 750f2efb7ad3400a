import { z } from 'zod';
import { hash } from './hash.ts';

/** A prompt as a record. `uuid` derives from `dedupKey`, so that a prompt resent after a crash has the same text. */
export const PromptEnvelope = z.strictObject({
  uuid: z.uuid(),
  runId: z.uuid(),
  roleId: z.string(),
  phaseKey: z.string(),
  attempt: z.number().int().nonnegative(),
  expectedArtifact: z.string(),
  expectedSchema: z.string(),
  dedupKey: z.string(),
  instructions: z.string(),
});
export type PromptEnvelope = z.infer<typeof PromptEnvelope>;

/** The identity of a prompt. */
export function promptHash(subject: Omit<PromptEnvelope, 'uuid' | 'dedupKey'>): string {
  const { runId, roleId, phaseKey, expectedArtifact, expectedSchema, instructions, attempt } = subject;
  return hash({ runId, roleId, phaseKey, expectedArtifact, expectedSchema, instructions, attempt });
}

/** The first line of a prompt: identifies it in anything that an agent shows or stores. */
export function promptMarker(uuid: string): string {
  return `DEVFLOW_PROMPT_BEGIN ${uuid}`;
}

/** The text that devflow pastes into the agent. The uuid distinguishes its markers from any in the text. */
export function renderEnvelope(envelope: PromptEnvelope): string {
  return [
    promptMarker(envelope.uuid),
    `Run: ${envelope.runId}`,
    `Role: ${envelope.roleId}`,
    `Phase: ${envelope.phaseKey}`,
    `Attempt: ${envelope.attempt}`,
    `Expected artifact: ${envelope.expectedArtifact}`,
    `Expected schema: ${envelope.expectedSchema}`,
    `Dedup-Key: ${envelope.dedupKey}`,
    'Instructions:',
    envelope.instructions,
    `DEVFLOW_PROMPT_END ${envelope.uuid}`,
  ].join('\n');
}
