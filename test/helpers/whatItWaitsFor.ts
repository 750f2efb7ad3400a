import { existsSync, readFileSync } from 'node:fs';

const LAST_LINES = 12;

/** What a process that does not end is at: its last log lines, and whether it works (its `ticks` grow) or waits. */
export function whatItWaitsFor(pid: number, ticksBefore: number, logFile: string): string {
  const used = processorTicks(pid) - ticksBefore;
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES) : [];
  return [`it used ${used} hundredths of a second of a processor; its last log lines:`, ...lines].join('\n');
}

/** NaN where there is no /proc. */
export function processorTicks(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The name of the program may hold spaces.
  const [, , , , , , , , , , , user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(user) + Number(system);
}
