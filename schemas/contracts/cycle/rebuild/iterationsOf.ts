import type { IterationRecord } from '../state/cycleState.ts';
import { iterationOf } from '../state/version.ts';
import type { Parts } from './readParts.ts';

/** The iterations that the documents tell of. Nothing says whether the last one was completed, so it is open. */
export function iterationsOf(
  parts: Parts,
  { known, now }: { known: readonly IterationRecord[]; now: string },
): IterationRecord[] {
  const times = timesOf(parts);
  const count = Math.max(known.length, ...times.map(({ iteration }) => iteration));
  const records: IterationRecord[] = [];
  for (let number = 1; number <= count; number += 1) {
    const before = records.at(-1);
    const own = times.filter(({ iteration }) => iteration === number).map(({ time }) => time);
    const started_at = own.toSorted((a, b) => Date.parse(a) - Date.parse(b))[0] ?? before?.started_at ?? now;
    records.push(known[number - 1] ?? { number, started_at, agent_results: {} });
  }
  return records.map((record, index) => {
    const next = records[index + 1];
    if (!next || record.completed_at) return record;
    return { ...record, completed_at: next.started_at, issues_found: [], resolved: false };
  });
}

/** Which iteration something belongs to, and when it was written. */
function timesOf({ requirements, plan, changes, test_results }: Parts): { iteration: number; time: string }[] {
  const markers = Object.entries(changes?.iteration_markers ?? {});
  return [
    ...markers.map(([number, time]) => ({ iteration: Number(number), time })),
    ...[requirements, plan].flatMap((part) => (part ? [made(part.version, part.last_updated)] : [])),
    ...(test_results ? [made(test_results.version, test_results.last_run)] : []),
  ];
}

/** A version beyond this is no number of an iteration. */
const MOST_ITERATIONS = 10_000;

function made(version: string, time: string): { iteration: number; time: string } {
  const iteration = iterationOf(version);
  return { iteration: iteration <= MOST_ITERATIONS ? iteration : 1, time };
}
