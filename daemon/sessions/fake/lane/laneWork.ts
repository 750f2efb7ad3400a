import { type Hunk, resolveText } from './conflictBlocks.ts';
import { countConflict, readLaneMemory, rememberTask, type TaskWords } from './laneMemory.ts';
import type { LanePrompt } from './lanePrompt.ts';
import { fileFor, lineFor, withLine, withoutLines } from './taskFiles.ts';
import { isDirectory, readText, writeOrRemove, writeWhole } from './worktreeFiles.ts';

/** Tasks whose work breaks checks until a repair (`broken`), or for ever (`stubborn`). */
export const BREAKING: readonly string[] = ['broken', 'stubborn'];

const BROKEN = /^BROKEN by /;

/** Does the work of a prompt in a lane. Returns the artifact, unless it is a fixture. Doing it twice is doing it once. */
export function doLaneWork(cwd: string, prompt: LanePrompt, dedupKey: string): string | undefined {
  switch (prompt.kind) {
    case 'task':
      doTask(cwd, prompt.task);
      return undefined;
    case 'repair':
      if (prompt.isUndo) undoDrift(cwd);
      else repair(cwd, prompt.key);
      return undefined;
    case 'conflict':
      return resolve(cwd, prompt.paths, dedupKey);
    default:
      return prompt satisfies never;
  }
}

function doTask(cwd: string, task: TaskWords): void {
  rememberTask(cwd, task);
  for (const path of [...filesOf(cwd, task), ...task.alsoWrites]) addLine(cwd, path, lineFor(path, task.id));
  if (!BREAKING.includes(task.scenario)) return;
  for (const path of filesOf(cwd, task)) addLine(cwd, path, `BROKEN by ${task.id}`);
}

/** Removes what breaks checks, and leaves a line of its own, so that there is a new commit. */
function repair(cwd: string, key: string): void {
  const { tasks } = readLaneMemory(cwd);
  for (const task of tasks) {
    for (const path of task.scenario === 'stubborn' ? [] : filesOf(cwd, task)) {
      writeWhole(
        cwd,
        path,
        withoutLines(readText(cwd, path), (line) => BROKEN.test(line)),
      );
    }
    for (const path of task.fixWrites) addLine(cwd, path, lineFor(path, task.id));
  }
  const last = tasks.at(-1);
  for (const path of last ? filesOf(cwd, last).slice(0, 1) : []) addLine(cwd, path, lineFor(path, key));
}

/** Takes back what the tasks wrote outside of their globs. */
function undoDrift(cwd: string): void {
  for (const { id, alsoWrites } of readLaneMemory(cwd).tasks) {
    for (const path of alsoWrites) {
      writeOrRemove(
        cwd,
        path,
        withoutLines(readText(cwd, path), (line) => line === lineFor(path, id)),
      );
    }
  }
}

function resolve(cwd: string, paths: readonly string[], dedupKey: string): string {
  const nth = countConflict(cwd, dedupKey);
  const steps = readLaneMemory(cwd).tasks.at(-1)?.resolve ?? ['well'];
  const how = steps[Math.min(nth, steps.length) - 1] ?? 'well';
  const hunks = paths.flatMap((path): Hunk[] => {
    const resolved = resolveText(path, readText(cwd, path), how);
    if (resolved.text !== readText(cwd, path)) writeWhole(cwd, path, resolved.text);
    return resolved.hunks;
  });
  if (how === 'elsewhere') addLine(cwd, 'elsewhere.txt', 'changed by a resolution');
  return `${JSON.stringify({ hunks }, null, 2)}\n`;
}

/** One file for each glob. A directory is written like everything in it. */
function filesOf(cwd: string, { id, files }: TaskWords): string[] {
  return files.map((glob) => {
    const path = fileFor(glob, id);
    return isDirectory(cwd, path) ? `${path}/${id}.txt` : path;
  });
}

function addLine(cwd: string, path: string, line: string): void {
  const before = readText(cwd, path);
  const after = withLine(before, line);
  if (after !== before) writeWhole(cwd, path, after);
}
