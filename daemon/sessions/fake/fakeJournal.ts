import { closeSync, fdatasync, fstatSync, ftruncateSync, writeFileSync } from 'node:fs';
import { mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openToAppend, readRegular } from '../../../schemas/files/openRegular.ts';
import { LanePrompt } from './lane/lanePrompt.ts';
import { ReviewPrompt } from './review/reviewPrompt.ts';

const syncLater = promisify(fdatasync);

/** Far more than a fake agent ever records. */
const MOST_BYTES = 64 * 1024 * 1024;

const Received = z.object({
  type: z.literal('received'),
  dedupKey: z.string(),
  promptId: z.string(),
  path: z.string(),
  schema: z.string(),
  scenario: z.string(),
  phaseKey: z.string(),
  /** The prompt's instructions; absent for a prompt that only reminds the agent. */
  instructions: z.string().optional(),
  /** In a lane: the task, repair, look or verdict. */
  assignment: z.string().optional(),
  /** Counted by the fake: the session's attempt at the phase, or at the assignment in a lane. */
  attempt: z.number().int().positive(),
  delayMs: z.number().int().nonnegative(),
  /** The code change that goes with the artifact, decided when the prompt is taken. */
  code: z.object({ path: z.string(), content: z.string() }).optional(),
  /** The variant of a strategy to try, in place of `code`. */
  improvement: z.string().optional(),
  /** The work in a lane, in place of `code`. */
  lane: LanePrompt.optional(),
  /** The work in a review. */
  review: ReviewPrompt.optional(),
  /** The comments to answer beside the artifact. */
  comments: z.object({ ids: z.array(z.string()), questions: z.array(z.string()), path: z.string() }).optional(),
  /** The project directory that a handover must name, in place of the fixture's. */
  projectDir: z.string().optional(),
  /** The artifact that a person gave, in place of the fixture. */
  content: z.string().optional(),
});
export type Received = z.infer<typeof Received>;

const Refused = z.object({
  type: z.literal('crashed'),
  dedupKey: z.string(),
  phaseKey: z.string(),
  assignment: z.string().optional(),
});
/** A message that it read. */
const Read = z.object({ type: z.literal('read'), dedupKey: z.string(), promptId: z.string(), text: z.string() });
const Settled = z.object({ type: z.enum(['wrote', 'exited']), dedupKey: z.string() });
const Lifecycle = z.object({ type: z.enum(['started', 'resumed', 'rebootstrapped', 'disposed']) });

const Entry = z.discriminatedUnion('type', [Received, Refused, Read, Settled, Lifecycle]);
const When = z.object({ at: z.string() });
export type JournalEntry = z.infer<typeof Entry>;
export type JournalLine = JournalEntry & { at: string };

const fileOf = (sessionDir: string) => join(sessionDir, 'fake.jsonl');

/**
 * The memory of a fake agent: it has no process that outlives the daemon, but this file does. A line torn by a crash
 * was never acknowledged, so it is cut off.
 */
export async function readFakeJournal(sessionDir: string): Promise<JournalLine[]> {
  const path = fileOf(sessionDir);
  const read = readRegular(path, MOST_BYTES);
  if (!read.ok && !read.missing) throw new Error(`${path}: ${read.fault}`);
  const text = read.ok ? read.bytes.toString('utf8') : '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole.length < text.length) await truncate(path, Buffer.byteLength(whole));
  return whole
    .split('\n')
    .filter((line) => line !== '')
    .map(parseLine);
}

/** Appends and syncs before it returns, so that what is acknowledged survives a crash. */
export async function appendFakeJournal(sessionDir: string, entry: JournalEntry): Promise<JournalLine> {
  const line: JournalLine = { ...entry, at: new Date().toISOString() };
  await mkdir(sessionDir, { recursive: true, mode: 0o700 });
  const fd = openToAppend(fileOf(sessionDir));
  const { size } = fstatSync(fd);
  try {
    writeFileSync(fd, `${JSON.stringify(line)}\n`);
    await syncLater(fd);
  } catch (error) {
    // A full disk may have stored part of the line, which would spoil the next one.
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
  return line;
}

/** The subject for which attempts are counted. */
type Counted = Pick<Received, 'phaseKey' | 'assignment'>;

/** The agent's state, from its journal. Pure. */
export function readFacts(lines: readonly JournalEntry[]): {
  promptIds: Map<string, string>;
  unfinished: Received[];
  /** Dedup keys of prompts that ended with the agent which took them. */
  dropped: Set<string>;
  attemptOf(subject: Counted, dedupKey: string): number;
} {
  const promptIds = new Map<string, string>();
  const unfinished = new Map<string, Received>();
  const dropped = new Set<string>();
  const tries = new Map<string, Set<string>>();
  let launch = 0;
  const tryOf = (dedupKey: string) => `${launch}:${dedupKey}`;
  const keyOf = ({ phaseKey, assignment = '' }: Counted) => `${phaseKey}/${assignment}`;
  const count = (line: Counted & { dedupKey: string }) => {
    const seen = tries.get(keyOf(line)) ?? new Set<string>();
    tries.set(keyOf(line), seen.add(tryOf(line.dedupKey)));
  };
  for (const line of lines) {
    if (line.type === 'received') {
      promptIds.set(line.dedupKey, line.promptId);
      unfinished.set(line.dedupKey, line);
      count(line);
    } else if (line.type === 'read') {
      promptIds.set(line.dedupKey, line.promptId);
    } else if (line.type === 'crashed') {
      count(line);
    } else if (line.type === 'wrote' || line.type === 'exited') {
      unfinished.delete(line.dedupKey);
      if (line.type === 'exited') dropped.add(line.dedupKey);
    } else if (line.type === 'resumed') {
      launch += 1;
    } else if (line.type === 'rebootstrapped' || line.type === 'disposed') {
      launch += 1;
      for (const dedupKey of unfinished.keys()) dropped.add(dedupKey);
      unfinished.clear();
    }
  }
  return {
    promptIds,
    unfinished: [...unfinished.values()],
    dropped,
    /** The same envelope, sent again to the same launch, is the same attempt: a dead agent stays dead. */
    attemptOf(subject, dedupKey) {
      const seen = tries.get(keyOf(subject)) ?? new Set();
      return seen.has(tryOf(dedupKey)) ? [...seen].indexOf(tryOf(dedupKey)) + 1 : seen.size + 1;
    },
  };
}

function parseLine(line: string): JournalLine {
  const data: unknown = JSON.parse(line);
  return { ...Entry.parse(data), ...When.parse(data) };
}
