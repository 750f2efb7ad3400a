import { closeSync, fdatasync, fstatSync, ftruncateSync, writeFileSync } from 'node:fs';
import { mkdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { openToAppend, readRegular } from '../../../schemas/files/openRegular.ts';

const syncLater = promisify(fdatasync);

/** Far more than a fake agent ever notes. */
const MOST_BYTES = 64 * 1024 * 1024;

const Received = z.object({
  type: z.literal('received'),
  dedupKey: z.string(),
  promptId: z.string(),
  path: z.string(),
  schema: z.string(),
  scenario: z.string(),
  phaseKey: z.string(),
  /** Counted by the fake: which try of the phase this is for this session. */
  attempt: z.number().int().positive(),
  delayMs: z.number().int().nonnegative(),
  /** The change of code that goes with the artifact, decided when the prompt is taken. */
  code: z.object({ path: z.string(), content: z.string() }).optional(),
});
export type Received = z.infer<typeof Received>;

const Refused = z.object({ type: z.literal('crashed'), dedupKey: z.string(), phaseKey: z.string() });
const Settled = z.object({ type: z.enum(['wrote', 'exited']), dedupKey: z.string() });
const Life = z.object({ type: z.enum(['started', 'resumed', 'rebootstrapped', 'disposed']) });

const Entry = z.discriminatedUnion('type', [Received, Refused, Settled, Life]);
const When = z.object({ at: z.string() });
export type JournalEntry = z.infer<typeof Entry>;
export type JournalLine = JournalEntry & { at: string };

const fileOf = (sessionDir: string) => join(sessionDir, 'fake.jsonl');

/**
 * The memory of a fake agent: without a process of its own to survive the daemon, it survives as this file.
 * A line that was torn by a crash was never acknowledged, so it is cut off.
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

/** Appends and syncs before it returns: what is acknowledged is remembered, whatever happens next. */
export async function appendFakeJournal(sessionDir: string, entry: JournalEntry): Promise<JournalLine> {
  const line: JournalLine = { ...entry, at: new Date().toISOString() };
  await mkdir(sessionDir, { recursive: true, mode: 0o700 });
  const fd = openToAppend(fileOf(sessionDir));
  const { size } = fstatSync(fd);
  try {
    writeFileSync(fd, `${JSON.stringify(line)}\n`);
    await syncLater(fd);
  } catch (error) {
    // On a full disk a part of the line may have found room, and would spoil the next.
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
  return line;
}

/** What the journal says of the agent now. Pure. */
export function readFacts(lines: readonly JournalEntry[]): {
  promptIds: Map<string, string>;
  unfinished: Received[];
  /** Dedup keys of prompts that ended with the agent that took them. */
  dropped: Set<string>;
  attemptOf(phaseKey: string, dedupKey: string): number;
} {
  const promptIds = new Map<string, string>();
  const unfinished = new Map<string, Received>();
  const dropped = new Set<string>();
  const tries = new Map<string, Set<string>>();
  let life = 0;
  const tryOf = (dedupKey: string) => `${life}:${dedupKey}`;
  const count = (phaseKey: string, dedupKey: string) => {
    const seen = tries.get(phaseKey) ?? new Set<string>();
    tries.set(phaseKey, seen.add(tryOf(dedupKey)));
  };
  for (const line of lines) {
    if (line.type === 'received') {
      promptIds.set(line.dedupKey, line.promptId);
      unfinished.set(line.dedupKey, line);
      count(line.phaseKey, line.dedupKey);
    } else if (line.type === 'crashed') {
      count(line.phaseKey, line.dedupKey);
    } else if (line.type === 'wrote' || line.type === 'exited') {
      unfinished.delete(line.dedupKey);
      if (line.type === 'exited') dropped.add(line.dedupKey);
    } else if (line.type === 'resumed') {
      life += 1;
    } else if (line.type === 'rebootstrapped' || line.type === 'disposed') {
      life += 1;
      for (const dedupKey of unfinished.keys()) dropped.add(dedupKey);
      unfinished.clear();
    }
  }
  return {
    promptIds,
    unfinished: [...unfinished.values()],
    dropped,
    /** The same envelope sent again to the same life of the agent is the same attempt: a dead agent stays dead. */
    attemptOf(phaseKey, dedupKey) {
      const seen = tries.get(phaseKey) ?? new Set();
      return seen.has(tryOf(dedupKey)) ? [...seen].indexOf(tryOf(dedupKey)) + 1 : seen.size + 1;
    },
  };
}

function parseLine(line: string): JournalLine {
  const data: unknown = JSON.parse(line);
  return { ...Entry.parse(data), ...When.parse(data) };
}
