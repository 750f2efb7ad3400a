import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LAST_LINES = 12;

/** What a process that does not end is at: its last log lines, and whether it works or waits. */
export async function whatItWaitsFor(pid: number, logFile: string): Promise<string> {
  const before = processorTicks(pid);
  await pause(1_000);
  const used = processorTicks(pid) - before;
  const lines = existsSync(logFile) ? readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-LAST_LINES) : [];
  return [`in one second it used ${used} of 100 ticks of a processor; its last log lines:`, ...lines].join('\n');
}

/** NaN where there is no /proc. */
function processorTicks(pid: number): number {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return Number.NaN;
  // The name of the program may hold spaces.
  const [, , , , , , , , , , , user, system] = readFileSync(file, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(user) + Number(system);
}
