import { join } from 'node:path';
import { z } from 'zod';
import { openJsonLines, type Written } from '../../../system/jsonLines.ts';

const Line = z.discriminatedUnion('type', [
  /** Written before the pane is created. The key `life` is the number of the launch, under its older name. */
  z.object({
    type: z.literal('launching'),
    life: z.number().int(),
    how: z.enum(['new', 'resume']),
    conversationId: z.string().optional(),
  }),
  z.object({ type: z.literal('launched'), life: z.number().int(), pid: z.number(), startTime: z.string().optional() }),
  /** The program named its conversation, or the file where it keeps it. */
  z.object({ type: z.literal('told'), conversationId: z.string().optional(), transcriptPath: z.string().optional() }),
  z.object({ type: z.literal('disposed') }),
]);
export type LaunchLine = z.infer<typeof Line>;

export interface Launches {
  note(line: LaunchLine): void;
  /** The number of the session's next launch. */
  next(): number;
  now(): LaunchFacts;
}

export interface LaunchFacts {
  /** 0: it never had a program. */
  number: number;
  /** The number of the launch that began the conversation. */
  begunBy: number;
  conversationId?: string;
  transcriptPath?: string;
  disposed: boolean;
  /** True if the newest program continues an earlier one's conversation. */
  isResumed: boolean;
  /** When the newest program was started, by the steady clock. */
  launchedAt?: number;
  /** Every program that was started: the wrapper's pid, which leads its process group. */
  launched: { pid: number; startTime?: string }[];
}

/** The record of a session's programs. Existing homes name the file `lives.jsonl`, so the name stays. */
export function openLaunches(sessionDir: string): Launches {
  const file = openJsonLines<LaunchLine>(join(sessionDir, 'lives.jsonl'), Line);
  return {
    note: (line) => file.append(line),
    next: () => foldLaunches(file.lines).number + 1,
    now: () => foldLaunches(file.lines),
  };
}

/** Pure. */
function foldLaunches(lines: readonly (LaunchLine & Written)[]): LaunchFacts {
  const facts: LaunchFacts = { number: 0, begunBy: 0, isResumed: false, disposed: false, launched: [] };
  for (const line of lines) {
    if (line.type === 'launching') {
      facts.number = line.life;
      facts.disposed = false;
      facts.isResumed = line.how === 'resume';
      if (line.how === 'new') {
        facts.begunBy = line.life;
        facts.transcriptPath = undefined;
      }
      facts.conversationId = line.conversationId;
    } else if (line.type === 'launched') {
      facts.launched.push({ pid: line.pid, startTime: line.startTime });
      facts.launchedAt = line.steadyAt;
    } else if (line.type === 'told') {
      facts.conversationId = line.conversationId ?? facts.conversationId;
      facts.transcriptPath = line.transcriptPath ?? facts.transcriptPath;
    } else facts.disposed = true;
  }
  return facts;
}
