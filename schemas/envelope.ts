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

/** A text to an agent that asks for no artifact. The agent sees nothing but the text and its markers. */
export const MessageEnvelope = z.strictObject({
  uuid: z.uuid(),
  runId: z.uuid(),
  roleId: z.string(),
  messageId: z.string(),
  dedupKey: z.string(),
  text: z.string(),
});
export type MessageEnvelope = z.infer<typeof MessageEnvelope>;

/** What devflow types into an agent. */
export type Envelope = PromptEnvelope | MessageEnvelope;

export function isMessage(envelope: Envelope): envelope is MessageEnvelope {
  return 'messageId' in envelope;
}

/** The identity of a message, however often it is tried. */
export function messageHash(messageId: string): string {
  return hash({ messageId });
}

/** The identity of a prompt. */
export function promptHash(subject: Omit<PromptEnvelope, 'uuid' | 'dedupKey'>): string {
  const { runId, roleId, phaseKey, expectedArtifact, expectedSchema, instructions, attempt } = subject;
  return hash({ runId, roleId, phaseKey, expectedArtifact, expectedSchema, instructions, attempt });
}

/** The last line of a prompt: only its whole text contains it. */
export function promptEnd(uuid: string): string {
  return `DEVFLOW_PROMPT_END ${uuid}`;
}

/** In a short prompt, which an agent gets that has the whole one in its conversation. */
export const STILL_HOLDS = 'Everything that you were asked before still holds.';

/** The text that devflow pastes into the agent. The uuid distinguishes its markers from any in the text. */
export function renderEnvelope(envelope: Envelope): string {
  const begin = `DEVFLOW_PROMPT_BEGIN ${envelope.uuid}`;
  if (isMessage(envelope)) return [begin, envelope.text, promptEnd(envelope.uuid)].join('\n');
  return [
    begin,
    `Run: ${envelope.runId}`,
    `Role: ${envelope.roleId}`,
    `Phase: ${envelope.phaseKey}`,
    `Attempt: ${envelope.attempt}`,
    `Expected artifact: ${envelope.expectedArtifact}`,
    `Expected schema: ${envelope.expectedSchema}`,
    `Dedup-Key: ${envelope.dedupKey}`,
    'Instructions:',
    envelope.instructions,
    promptEnd(envelope.uuid),
  ].join('\n');
}

const MARKER = /DEVFLOW_PROMPT_(BEGIN|END) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g;

export interface FoundPrompt {
  uuid: string;
  /** From the first line to the last one, as it stands there. */
  text: string;
}

/**
 * The prompts in any text: of a hook, of a program's record (also escaped, as in JSON), of a screen. A prompt is there
 * if its first and its last line are. Anything may stand around and between them: programs wrap, fold and strip what
 * they take. A prompt inside another one is only quoted.
 */
export function promptsIn(text: string): FoundPrompt[] {
  const found: { uuid: string; from: number; to: number }[] = [];
  const begun = new Map<string, number>();
  for (const { index, 0: marker, 1: word, 2: uuid } of text.matchAll(MARKER)) {
    if (uuid === undefined) continue;
    const from = begun.get(uuid);
    if (word === 'BEGIN') begun.set(uuid, index);
    else if (from !== undefined) found.push({ uuid, from, to: index + marker.length });
    if (word === 'END') begun.delete(uuid);
  }
  let end = 0;
  const prompts: FoundPrompt[] = [];
  for (const { uuid, from, to } of found.sort((a, b) => a.from - b.from)) {
    if (from < end) continue;
    prompts.push({ uuid, text: text.slice(from, to) });
    end = to;
  }
  return prompts;
}
