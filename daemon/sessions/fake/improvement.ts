import type { PromptEnvelope } from '../../../schemas/envelope.ts';
import { readInside } from '../../../schemas/files/insideRoot.ts';
import { writeWhole } from './lane/worktreeFiles.ts';

const LARGEST_BYTES = 64 * 1024;
const STRATEGY = 'strategy.ts';
const LANGUAGES = ['ts', 'py'];

/**
 * The variant that the fake agent tries. `Improve: longer, quiet` in the requirements names files of `variants/`, one
 * for each attempt. The last one is for all that follow. Undefined without such a line.
 */
export function improvementFor(instructions: string, attempt: number): string | undefined {
  const [, list] = /^[ \t]*Improve:[ \t]*([a-z-]+(?:[ \t]*,[ \t]*[a-z-]+)*)[ \t]*\r?$/m.exec(instructions) ?? [];
  const names = list?.split(',').map((name) => name.trim()) ?? [];
  return names[Math.min(attempt, names.length) - 1];
}

/** Puts a variant in the place of the strategy; nothing if the worktree has no such variant. */
export function improveStrategy(cwd: string, name: string): void {
  for (const language of LANGUAGES) {
    const read = readInside(cwd, `variants/${name}.${language}`, LARGEST_BYTES);
    if (read.ok) writeWhole(cwd, `strategy.${language}`, read.bytes.toString('utf8'));
  }
}

/** The artifact that goes with it: the hypothesis, or what the implementer says of the change. */
export function improvementWork({ expectedSchema, instructions }: PromptEnvelope, attempt: number): string | undefined {
  const name = improvementFor(instructions, attempt);
  if (name === undefined) return undefined;
  if (expectedSchema.startsWith('bt/hypothesis@')) return hypothesisOf(name, instructions);
  return expectedSchema.startsWith('dev/implementation@') ? implementationOf(name) : undefined;
}

/** It names the cluster that the prompt has first. */
function hypothesisOf(name: string, instructions: string): string {
  const [, cluster] = /"id": "((?:exit_reason|tag|instrument|hour|holding)=[^"\\]+)"/.exec(instructions) ?? [];
  return JSON.stringify({
    hypothesis: `The variant "${name}" of the strategy loses less.`,
    evidence: cluster === undefined ? [] : [cluster],
    expect: { metric: 'sharpe', direction: 'up', size: 0.1 },
    paths: [STRATEGY],
  });
}

function implementationOf(name: string): string {
  return JSON.stringify({
    summary: `The strategy is the variant "${name}" now.`,
    files: [{ path: STRATEGY, change: 'modified' }],
    howToCheck: ['devflow measures it.'],
    followUps: [],
  });
}
