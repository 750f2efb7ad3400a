import { join } from 'node:path';
import { type MessageEnvelope, messageHash, type PromptEnvelope } from '../../../schemas/envelope.ts';
import { derivedId } from '../../../schemas/ids.ts';
import { type Shape, tortureEnvelope, torturePrompts, tortureText } from '../../fixtures/scripted/torture.ts';

export interface Attempts {
  seed: string;
  shapes: readonly Shape[];
  /** How often a phase is asked for. */
  attempts: number;
  cwd: string;
}

/**
 * Prompts as a run sends them into one conversation. A person requests changes: the later attempts of a phase repeat its
 * whole prompt and add what is wanted (daemon/core/assignment/prompt.ts).
 */
export function* attemptsOf({ seed, shapes, attempts, cwd }: Attempts): Generator<PromptEnvelope, never> {
  for (const { nth, text } of torturePrompts(seed, shapes)) {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const wanted = tortureText('one-line', `${seed}/${nth}/${attempt}`);
      const phaseKey = `phase-${nth}`;
      yield tortureEnvelope(
        { nth, text: attempt === 1 ? text : `${text}\n\nChanges were asked for:\n${wanted}` },
        {
          phaseKey,
          attempt,
          expectedArtifact: join(cwd, '.devflow', 'artifacts', phaseKey, `${attempt}`, 'spec.json'),
        },
      );
    }
  }
  throw new Error('The prompts have no end.');
}

/** Messages as a person writes them into one conversation. */
export function* messagesOf({ seed, shapes }: Pick<Attempts, 'seed' | 'shapes'>): Generator<MessageEnvelope, never> {
  for (const { nth, text } of torturePrompts(seed, shapes)) {
    const messageId = derivedId('message', seed, nth);
    const dedupKey = messageHash(messageId);
    const uuid = derivedId('prompt', dedupKey);
    yield { uuid, runId: derivedId('torture', 'run'), roleId: 'planner', messageId, dedupKey, text };
  }
  throw new Error('The messages have no end.');
}
