import { isTimeText } from '../../document/calendar.ts';
import { CHANGE_ACTIONS, type Change, type Changes, countFiles } from '../state/cycleState.ts';
import { parseObject } from '../state/readState.ts';

const MARKER = 'iteration';

/** The lines that `cd/changes.log` gets for these changes. Before the first of an iteration is its marker. */
export function changesLines(
  changes: readonly Change[],
  markers: Changes['iteration_markers'],
  before: readonly Change[],
): string {
  const marked = new Set(before.map(({ iteration }) => iteration));
  const lines = changes.flatMap((change) => {
    const { timestamp, file, action, iteration, agent, description, ...more } = change;
    const line = JSON.stringify({ timestamp, file, action, iteration, agent, description, ...more });
    if (marked.has(iteration)) return [line];
    marked.add(iteration);
    const marker = { timestamp: markers[String(iteration)] ?? timestamp, iteration, marker: MARKER };
    return [JSON.stringify(marker), line];
  });
  return lines.map((line) => `${line}\n`).join('');
}

/** A text with more lines that are no changes is no log. */
export const MOST_BAD_LINES = 10_000;

/**
 * The changes of a log, and the numbers of the lines that are none. It stops after too many of those. The log of another
 * program may lack markers and agents.
 */
export function readChangesLog(text: string): { changes: Changes; badLines: number[] } {
  const changes: Change[] = [];
  const markers = new Map<number, string>();
  const badLines: number[] = [];
  let iteration = 1;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parsed = parseObject(line);
    const entry = 'object' in parsed ? parsed.object : {};
    const marker = readMarker(entry);
    const change = marker ? undefined : readChange(entry, iteration);
    const read = marker ?? change;
    if (!read) {
      badLines.push(index + 1);
      if (badLines.length > MOST_BAD_LINES) break;
      continue;
    }
    ({ iteration } = read);
    if (!markers.has(iteration)) markers.set(iteration, read.timestamp);
    if (change) changes.push(change);
  }
  return {
    changes: { total_files: countFiles(changes), changes, iteration_markers: Object.fromEntries(markers) },
    badLines,
  };
}

function readMarker(entry: Record<string, unknown>): { timestamp: string; iteration: number } | undefined {
  const { timestamp, iteration, marker } = entry;
  if (marker !== MARKER || Object.hasOwn(entry, 'file') || !isIteration(iteration) || !isTimeText(timestamp))
    return undefined;
  return { timestamp, iteration };
}

function readChange(entry: Record<string, unknown>, current: number): Change | undefined {
  const { timestamp, file, action, iteration = current, agent = 'cd', description = '', ...more } = entry;
  if (!isTimeText(timestamp) || typeof file !== 'string' || typeof action !== 'string' || !isIteration(iteration))
    return undefined;
  if (!(CHANGE_ACTIONS as readonly string[]).includes(action)) return undefined;
  if (typeof agent !== 'string' || typeof description !== 'string') return undefined;
  return { ...more, timestamp, file, action: action as Change['action'], iteration, agent, description };
}

/** A higher number is a fault of the line, since there is a record for each iteration. */
const MOST_ITERATIONS = 10_000;

function isIteration(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= MOST_ITERATIONS;
}
