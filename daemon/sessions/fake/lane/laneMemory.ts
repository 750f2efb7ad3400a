import { z } from 'zod';
import { readInside, writeInside } from '../../../../schemas/files/insideRoot.ts';
import { ARTIFACTS } from '../../../../schemas/names.ts';

/** A task's own words, for the fake agents that work in its lane. */
export const TaskWords = z.object({
  id: z.string(),
  /** Globs of the files that it may write. */
  files: z.array(z.string()),
  /** More files that it writes, outside of the globs: `Also-Writes: <path>`. */
  alsoWrites: z.array(z.string()),
  /** Files that only a repair writes: `Fix-Writes: <path>`. */
  fixWrites: z.array(z.string()),
  /** The resolutions of conflicts, one word a try: `Resolve: <a>-then-<b>`. */
  resolve: z.array(z.string()),
  scenario: z.string(),
});
export type TaskWords = z.infer<typeof TaskWords>;

/** Repairs and conflicts do not repeat the task, and another agent may get them: this is what its lane remembers. */
const LaneMemory = z.object({
  tasks: z.array(TaskWords),
  /** Dedup keys of the prompts that asked to resolve a conflict, oldest first. */
  conflicts: z.array(z.string()),
});
export type LaneMemory = z.infer<typeof LaneMemory>;

const FILE = `${ARTIFACTS}/fake-lane.json`;
const MOST_BYTES = 1024 * 1024;

export function readLaneMemory(cwd: string): LaneMemory {
  const read = readInside(cwd, FILE, MOST_BYTES);
  return read.ok ? LaneMemory.parse(JSON.parse(read.bytes.toString('utf8'))) : { tasks: [], conflicts: [] };
}

export function rememberTask(cwd: string, task: TaskWords): void {
  const { tasks, conflicts } = readLaneMemory(cwd);
  write(cwd, { tasks: [...tasks.filter(({ id }) => id !== task.id), task], conflicts });
}

/** Counts a prompt once, however often it comes. Returns its number, beginning with 1. */
export function countConflict(cwd: string, dedupKey: string): number {
  const memory = readLaneMemory(cwd);
  const conflicts = [...new Set([...memory.conflicts, dedupKey])];
  write(cwd, { ...memory, conflicts });
  return conflicts.indexOf(dedupKey) + 1;
}

function write(cwd: string, memory: LaneMemory): void {
  const written = writeInside(cwd, FILE, `${JSON.stringify(memory)}\n`, 0o644);
  if (!written.ok) throw new Error(written.fault);
}
