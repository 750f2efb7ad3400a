import { z } from 'zod';
import type { PromptEnvelope } from '../../../../schemas/envelope.ts';
import { TaskWords } from './laneMemory.ts';

type Prompt = Pick<PromptEnvelope, 'expectedArtifact' | 'expectedSchema' | 'instructions'>;

/** The request of a prompt in a lane. */
export const LanePrompt = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('task'), task: TaskWords }),
  /** `isUndo`: a person wants back what was written outside of the globs. */
  z.object({ kind: z.literal('repair'), key: z.string(), isUndo: z.boolean() }),
  z.object({ kind: z.literal('conflict'), paths: z.array(z.string()) }),
]);
export type LanePrompt = z.infer<typeof LanePrompt>;

/** Reads a prompt by the sentences of the engine. Undefined if it is not about a lane. Pure. */
export function readLanePrompt(prompt: Prompt, scenario: string): LanePrompt | undefined {
  const { expectedSchema, instructions } = prompt;
  const key = assignmentOf(prompt.expectedArtifact);
  if (expectedSchema.startsWith('dev/conflict-resolution@')) {
    return { kind: 'conflict', paths: listAfter(instructions, 'Conflicting files') ?? [] };
  }
  if (key === undefined || !expectedSchema.startsWith('dev/implementation@')) return undefined;
  const files = listAfter(instructions, 'Files that you may change');
  if (!files) return { kind: 'repair', key, isUndo: /files that your tasks do not name/.test(instructions) };
  const resolve = (valuesOf(instructions, 'Resolve')[0] ?? 'well').split('-then-');
  const alsoWrites = valuesOf(instructions, 'Also-Writes');
  const fixWrites = valuesOf(instructions, 'Fix-Writes');
  return { kind: 'task', task: { id: key, files, alsoWrites, fixWrites, resolve, scenario } };
}

/** The assignment that the path of an artifact names: `T3` of `…/implement/1/lane-2.T3/implementation.json`. */
export function assignmentOf(expectedArtifact: string): string | undefined {
  return /\/\.devflow\/artifacts\/.*\/lane-\d+\.([\w.-]+)\//.exec(expectedArtifact)?.[1];
}

function listAfter(instructions: string, label: string): string[] | undefined {
  const line = new RegExp(`^${label}: (.+)$`, 'm').exec(instructions)?.[1];
  return line?.trim().split(', ');
}

function valuesOf(instructions: string, name: string): string[] {
  const lines = instructions.matchAll(new RegExp(`^[ \\t]*${name}:[ \\t]*(\\S+)[ \\t]*\\r?$`, 'gm'));
  return [...lines].map(([, value = '']) => value);
}
